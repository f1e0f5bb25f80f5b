package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BusIdentifiersTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "agent-1", "a.b_c:d-e", "Z9"})
  void identifiers(String text) {
    assertThat(BusIdentifiers.isIdentifier(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", ".a", "a b", "a\n", "a/b", "ä", "a*", "a\0"})
  void noIdentifiers(String text) {
    assertThat(BusIdentifiers.isIdentifier(text)).isFalse();
  }

  @Test
  void anIdentifierHasAtMost128Characters() {
    assertThat(BusIdentifiers.isIdentifier("a".repeat(128))).isTrue();
    assertThat(BusIdentifiers.isIdentifier("a".repeat(129))).isFalse();
  }

  @Test
  void aUuidHas36Characters() {
    String text = "01890a5d-ac96-774b-bcce-b302099a8057";
    assertThat(BusIdentifiers.parseUuid(text)).contains(UUID.fromString(text));
    assertThat(BusIdentifiers.parseUuid("1-1-1-1-1")).isEmpty();
    assertThat(BusIdentifiers.parseUuid(text + "\n")).isEmpty();
    assertThat(BusIdentifiers.parseUuid("{" + text + "}")).isEmpty();
    assertThat(BusIdentifiers.parseUuid("")).isEmpty();
  }

  @Test
  void aVersion7UuidBeginsWithItsTime() {
    Instant time = Instant.parse("2026-11-21T12:00:00.123Z");
    UUID id = BusIdentifiers.uuid7(InstantSource.fixed(time));
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(time.toEpochMilli());
  }

  @Test
  void risingIdsRiseWithinAMillisecondAndWhenTheClockGoesBack() {
    AtomicLong millis = new AtomicLong(Instant.parse("2026-11-21T12:00:00.123Z").toEpochMilli());
    MonotonicIds rising = new MonotonicIds(() -> Instant.ofEpochMilli(millis.get()));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      ids.add(rising.next().toString());
    }
    millis.addAndGet(-5_000);
    ids.add(rising.next().toString());
    millis.addAndGet(60_000);
    UUID last = rising.next();
    ids.add(last.toString());
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(last.version()).isEqualTo(7);
    assertThat(last.variant()).isEqualTo(2);
    assertThat(last.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
  }

  @Test
  void risingIdsRiseForEachOfManyThreadsAndAreAllDifferent() throws Exception {
    MonotonicIds rising = new MonotonicIds(InstantSource.fixed(Instant.EPOCH));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<String>>> each =
          Collections.nCopies(
              8, () -> Stream.generate(() -> rising.next().toString()).limit(5_000).toList());
      Set<String> all = new HashSet<>();
      for (Future<List<String>> one : threads.invokeAll(each)) {
        assertThat(one.get()).isSorted();
        all.addAll(one.get());
      }
      assertThat(all).hasSize(40_000);
    }
  }

  @Test
  void noTwoUuidsOfOneMillisecondAreEqual() {
    InstantSource time = InstantSource.fixed(Instant.EPOCH);
    Set<UUID> ids = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      assertThat(ids.add(BusIdentifiers.uuid7(time))).isTrue();
    }
  }
}
