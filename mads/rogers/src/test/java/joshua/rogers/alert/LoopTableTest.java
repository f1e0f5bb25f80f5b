package joshua.rogers.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.UUID;
import joshua.rogers.tap.TrackedSender;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class LoopTableTest {
  private static final long BEGIN = 1_800_000_000_000L;

  private final LoopTable table = new LoopTable();
  private final TrackedSender ann = new TrackedSender("ann");
  private final TrackedSender bob = new TrackedSender("bob");
  private final UUID id = UUID.fromString("019a0000-0000-7000-8000-000000000001");

  private int note(UUID correlation, TrackedSender trackedSender, long millis) {
    return table.note(
        correlation.getMostSignificantBits(),
        correlation.getLeastSignificantBits(),
        trackedSender,
        BEGIN + millis);
  }

  private int turns(int count, long everyMillis) {
    int slot = LoopTable.NONE;
    for (int i = 0; i < count; i++) {
      slot = note(id, i % 2 == 0 ? ann : bob, i * everyMillis);
    }
    return slot;
  }

  @Test
  void twentyTurnsInTenSecondsAreALoopAndNineteenAreNone() {
    assertThat(turns(19, 526)).isEqualTo(LoopTable.NONE);
    int slot = note(id, bob, 19 * 526L);
    assertThat(slot).isNotEqualTo(LoopTable.NONE);
    assertThat(table.names(slot)).containsExactly("ann", "bob");
    assertThat(table.take(slot, BEGIN)).isEqualTo(20);
  }

  @Test
  void twentyTurnsInMoreThanTenSecondsAreNone() {
    assertThat(turns(40, 527)).isEqualTo(LoopTable.NONE);
  }

  @Test
  void manyMessagesOfOneSenderAreNoTurns() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(note(id, ann, i)).isEqualTo(LoopTable.NONE);
    }
    assertThat(note(id, bob, 1_001)).isEqualTo(LoopTable.NONE);
  }

  @Test
  void aLoopThatGoesOnIsFoundAgainEachSecondWithTheTurnsSince() {
    int slot = turns(20, 100);
    assertThat(table.take(slot, BEGIN + 1_900)).isEqualTo(20);
    long found = 0;
    for (int i = 20; i < 40; i++) {
      if (note(id, i % 2 == 0 ? ann : bob, i * 100L) != LoopTable.NONE) {
        found++;
        assertThat(table.take(slot, BEGIN + i * 100L)).isEqualTo(10);
      }
    }
    assertThat(found).isEqualTo(2);
  }

  @Test
  @TriesLimit("rogers.loop-table")
  void idsThatAreSeenOnceDoNotDisplaceALoopInAFlood() {
    Random random = new Random(7);
    int slot = LoopTable.NONE;
    for (int i = 0; i < 20; i++) {
      slot = note(id, i % 2 == 0 ? ann : bob, i * 400L);
      // After the first turn it has more turns than an id seen once; before that, it is just as
      // new.
      for (int other = 0; i > 0 && other < 50_000; other++) {
        note(new UUID(random.nextLong(), random.nextLong()), ann, i * 400L + 1);
      }
    }
    assertThat(slot).isNotEqualTo(LoopTable.NONE);
  }
}
