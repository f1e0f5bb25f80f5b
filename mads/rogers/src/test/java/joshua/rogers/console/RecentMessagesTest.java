package joshua.rogers.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import joshua.rogers.console.RecentMessages.Recent;
import org.junit.jupiter.api.Test;

class RecentMessagesTest {
  private final RecentMessages recent = new RecentMessages(3);

  private static byte[] body(long number) {
    return Long.toString(number).getBytes(UTF_8);
  }

  @Test
  void theLastOnesAreKeptInTheirOrder() {
    assertThat(recent.oldestAt()).isNull();
    for (long i = 1; i <= 5; i++) {
      recent.add("mad.topic.x", body(i), i);
    }
    assertThat(recent.last()).isEqualTo(5);
    assertThat(recent.oldestAt()).isEqualTo(Instant.ofEpochMilli(3));
    assertThat(recent.between(0, 5)).extracting(Recent::number).containsExactly(3L, 4L, 5L);
    assertThat(recent.between(3, 4)).extracting(Recent::number).containsExactly(4L);
  }

  @Test
  void whatIsLargePushesOthersOut() {
    RecentMessages many = new RecentMessages(1_000);
    for (int i = 0; i < 20; i++) {
      many.add("mad.topic.x", new byte[1024 * 1024], i);
    }
    many.add("mad.topic.x", new byte[50 * 1024 * 1024], 20); // no envelope: its beginning is kept
    assertThat(many.between(0, 21))
        .hasSize(16)
        .last()
        .satisfies(cut -> {
          assertThat(cut.body()).hasSize(RecentTool.MAX_TEXT);
          assertThat(cut.size()).isEqualTo(50 * 1024 * 1024);
        });
  }

  @Test
  void withoutRoomNothingIsKept() {
    RecentMessages none = new RecentMessages(0);
    none.add("mad.topic.x", body(1), 1);
    assertThat(none.between(0, none.last())).isEmpty();
    assertThat(none.caveats()).hasSize(1);
  }

  /** A reader sees each message as it was added, or not at all. */
  @Test
  void readersNeedNoLock() {
    int all = 200_000;
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> {
          for (long i = 1; i <= all; i++) {
            recent.add("mad.topic.x", body(i), i);
          }
        });
    long after = 0;
    while (after < all) {
      long until = recent.last();
      for (Recent message : recent.between(after, until)) {
        assertThat(message.number()).isGreaterThan(after);
        assertThat(message.body()).isEqualTo(body(message.number()));
        after = message.number();
      }
      after = until;
    }
    writer.join();
  }
}
