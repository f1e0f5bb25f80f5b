package joshua.dewey.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.dewey.DeweyFixture;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.thread.ThreadStore.Post;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostOutboxTest extends DeweyFixture {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final UUID THREAD = new UUID(7, 0);

  private final List<OutgoingMessage> sent = new ArrayList<>();
  private boolean isAway;
  private Instant heardUntil = NOW;

  @BeforeEach
  void postTwice() {
    Head head = new Head(THREAD, "t", "workflow", ThreadStatus.ACTIVE, "ann", NOW, NOW, 0);
    write(tx -> {
      ThreadStore.create(tx, head, List.of("ann", "bob", "cid"));
      for (int seq = 1; seq <= 2; seq++) {
        Post post = new Post(seq, new UUID(8, seq), "ann", "chat", null, NOW, Json.object());
        ThreadStore.add(tx, THREAD, post, null, ThreadStatus.ACTIVE);
      }
    });
  }

  private SendResult send(OutgoingMessage message) {
    sent.add(message);
    if (isAway) {
      return new SendResult.OutcomeUnknown();
    }
    return new SendResult.Accepted(
        envelope(UUID.randomUUID(), "ann", message.channel(), Json.object()), 1);
  }

  @Test
  void copiesAreSentAgainInOrderUntilTheyAreInTheArchive() {
    PostOutbox outbox = new PostOutbox(database, () -> NOW, () -> heardUntil, this::send);
    isAway = true;
    outbox.sendSome();
    assertThat(sent).as("it stops at the first").hasSize(1);
    isAway = false;
    outbox.sendSome();
    outbox.sendSome();
    assertThat(copies()).containsExactly("bob 1", "bob 1", "cid 1", "bob 2", "cid 2");
    assertThat(sent.get(1).messageId()).isEqualTo(sent.get(0).messageId());
    String insert = "insert into mail (recipient, position, message_id, sender_id) values";
    write(tx -> tx.update(insert + " ('bob', 1, ?, 'ann')", new UUID(8, 1)));
    heardUntil = NOW.plusSeconds(2);
    sent.clear();
    outbox.sendSome();
    assertThat(copies()).as("what it hasn't got").containsExactly("cid 1", "bob 2", "cid 2");
  }

  private List<String> copies() {
    return sent.stream().map(it -> it.recipient() + " " + it.payload().at("/thread/seq")).toList();
  }

  @Test
  void aThreadThatNobodyUpdatesGoesWithAllThatIsItsOwn() {
    assertThat(deleted(2_000)).isZero();
    write(tx -> tx.update("update archive set ran_minutes = 30 * 24 * 60 + 1"));
    assertThat(deleted(2_000)).isEqualTo(1);
    for (String table : List.of("post", "member", "outbox")) {
      assertThat(number("select count(*) from " + table)).as(table).isZero();
    }
  }

  @Test
  void theLeastRecentlyUpdatedThreadsGoBeyondTheSize() {
    assertThat(deleted(900)).isEqualTo(1);
  }

  /** How many threads go beyond thirty days or a number of bytes. */
  private int deleted(long bytes) {
    return database.write(tx -> ThreadStore.deleteOld(tx, 30, bytes));
  }
}
