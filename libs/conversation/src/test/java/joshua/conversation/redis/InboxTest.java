package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import joshua.conversation.ChannelPattern;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final Inbox inbox = new Inbox(() -> NOW);

  private static Inbox.Event copy(byte[] body) {
    return new Inbox.Event.Copy(1, ChannelPattern.ALL, "mad.topic.x", body);
  }

  @Test
  void copiesBeyondTheLimitAreCountedAndEverythingElseHasAPlace() throws Exception {
    byte[] body = new byte[1];
    for (int i = 0; i < Inbox.COPY_LIMIT; i++) {
      inbox.add(copy(body));
    }
    assertThat(inbox.take().overflow()).isEmpty();

    for (int i = 0; i < Inbox.COPY_LIMIT + 3; i++) {
      inbox.add(copy(body));
    }
    inbox.add(new Inbox.Event.Lost(NOW));
    Inbox.Batch batch = inbox.take();
    assertThat(batch.events()).hasSize(Inbox.COPY_LIMIT + 1);
    assertThat(batch.events().getLast()).isEqualTo(new Inbox.Event.Lost(NOW));
    assertThat(batch.overflow()).contains(new Inbox.Overflow(3, NOW));

    inbox.add(copy(body));
    assertThat(inbox.take()).satisfies(next -> assertThat(next.overflow()).isEmpty());
  }

  @Test
  void bytesHaveALimitTooButOneCopyAlwaysHasAPlace() throws Exception {
    byte[] half = new byte[(int) (Inbox.BYTE_LIMIT / 2)];
    inbox.add(copy(half));
    inbox.add(copy(half));
    Inbox.Batch batch = inbox.take();
    // Two halves and two names are more than the whole.
    assertThat(batch.events()).hasSize(1);
    assertThat(batch.overflow()).contains(new Inbox.Overflow(1, NOW));

    inbox.add(copy(new byte[(int) Inbox.BYTE_LIMIT]));
    assertThat(inbox.take().events()).hasSize(1);
  }
}
