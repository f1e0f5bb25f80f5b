package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import joshua.conversation.ChannelPattern;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int LIMIT = 1 << 20;

  private final Inbox inbox = new Inbox(() -> NOW, LIMIT);

  private static Inbox.Event copy(byte[] body) {
    return new Inbox.Event.Copy(1, ChannelPattern.ALL, "mad.topic.x", body);
  }

  @Test
  @TriesLimit("bus.received-bytes")
  void copiesBeyondTheLimitAreCountedAndEverythingElseHasAPlace() throws Exception {
    byte[] body = new byte[1];
    int fit = LIMIT / (Inbox.BYTES_OF_A_COPY + "mad.topic.x".length() + body.length);
    for (int i = 0; i < fit; i++) {
      inbox.add(copy(body));
    }
    assertThat(inbox.take()).hasSize(fit);

    for (int i = 0; i < fit + 3; i++) {
      inbox.add(copy(body));
    }
    inbox.add(new Inbox.Event.Lost(NOW));
    Deque<Inbox.Event> taken = inbox.take();
    assertThat(taken).hasSize(fit + 2);
    assertThat(taken).endsWith(new Inbox.Event.Overflow(3, NOW), new Inbox.Event.Lost(NOW));

    inbox.add(copy(body));
    assertThat(inbox.take()).singleElement().isInstanceOf(Inbox.Event.Copy.class);
  }

  @Test
  void bytesHaveALimitTooButOneCopyAlwaysHasAPlace() throws Exception {
    byte[] half = new byte[LIMIT / 2];
    inbox.add(copy(half));
    inbox.add(copy(half));
    // Two halves and two names are more than the whole.
    assertThat(inbox.take()).hasSize(2).endsWith(new Inbox.Event.Overflow(1, NOW));

    inbox.add(copy(new byte[LIMIT]));
    assertThat(inbox.take()).hasSize(1);
  }

  @Test
  void whatIsMissingIsSaidBeforeASmallerCopyThatStillHasAPlace() throws Exception {
    inbox.add(copy(new byte[LIMIT - 1_000]));
    inbox.add(copy(new byte[10_000]));
    inbox.add(copy(new byte[1]));

    assertThat(inbox.take()).element(1).isEqualTo(new Inbox.Event.Overflow(1, NOW));
  }

  @Test
  void whatComesBeforeAllSubscriptionsAreBackWaitsBehindTheirRestoration() throws Exception {
    inbox.add(new Inbox.Event.Lost(NOW));
    inbox.add(new Inbox.Event.Connected(1));
    inbox.add(copy(new byte[1]));
    inbox.add(new Inbox.Event.Restored(1));
    inbox.add(copy(new byte[2]));

    assertThat(inbox.take())
        .extracting(Object::getClass)
        .containsExactly(
            Inbox.Event.Lost.class,
            Inbox.Event.Connected.class,
            Inbox.Event.Restored.class,
            Inbox.Event.Copy.class,
            Inbox.Event.Copy.class);
  }

  @Test
  void whatIsHeldForASecondComesBehindTheWordThatMoreIsMissed() throws Exception {
    inbox.add(new Inbox.Event.Connected(1));
    inbox.add(copy(new byte[1]));
    assertThat(inbox.take()).containsExactly(new Inbox.Event.Connected(1));

    long start = System.nanoTime();
    assertThat(inbox.take()).hasSize(2).startsWith(new Inbox.Event.PartlyRestored(1));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));

    inbox.add(copy(new byte[1]));
    inbox.add(new Inbox.Event.Lost(NOW));
    assertThat(inbox.take())
        .hasSize(3)
        .startsWith(new Inbox.Event.PartlyRestored(1))
        .endsWith(new Inbox.Event.Lost(NOW));
  }
}
