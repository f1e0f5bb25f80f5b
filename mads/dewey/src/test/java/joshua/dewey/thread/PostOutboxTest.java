package joshua.dewey.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.Dewey;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.thread.ThreadStore.Post;
import joshua.kernel.Json;
import joshua.state.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostOutboxTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final UUID THREAD = new UUID(7, 0);

  @TempDir Path directory;
  private final List<OutgoingMessage> sent = new ArrayList<>();
  private boolean isAway;
  private Instant heardUntil = NOW;
  private Database database;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(directory.resolve("test.db"), Dewey.MIGRATIONS, () -> NOW);
    Head head = new Head(THREAD, "t", "workflow", ThreadStatus.ACTIVE, "ann", NOW, NOW, 0);
    database.write(tx -> {
      ThreadStore.create(tx, head, List.of("ann", "bob", "cid"));
      for (int seq = 1; seq <= 2; seq++) {
        Post post = new Post(seq, new UUID(8, seq), "ann", "chat", null, NOW, Json.object());
        ThreadStore.add(tx, THREAD, post, null, ThreadStatus.ACTIVE);
      }
      return true;
    });
  }

  @AfterEach
  void close() {
    database.close();
  }

  private SendResult send(OutgoingMessage message) {
    sent.add(message);
    if (isAway) {
      return new SendResult.OutcomeUnknown();
    }
    UUID id = UUID.randomUUID();
    return new SendResult.Accepted(
        new Envelope(
            id, id, id, NOW, "ann", Optional.empty(), message.channel(), Json.object(), Map.of()),
        1);
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

    database.write(tx ->
        tx.update(
            "insert into mail (recipient, position, message_id, sender_id) values (?, 1, ?, ?)",
            "bob",
            new UUID(8, 1),
            "ann"));
    heardUntil = NOW.plusSeconds(2);
    sent.clear();
    outbox.sendSome();
    assertThat(copies())
        .as("what the archive hasn't got")
        .containsExactly("cid 1", "bob 2", "cid 2");
  }

  private List<String> copies() {
    return sent.stream()
        .map(each -> each.recipient() + " " + each.payload().at("/thread/seq"))
        .toList();
  }

  @Test
  void aThreadThatNobodyUpdatesGoesWithAllThatIsItsOwn() {
    assertThat(database.<Integer>write(tx -> ThreadStore.deleteOld(tx, 30, 2_000))).isZero();
    database.write(tx -> tx.update("update archive set ran_minutes = 30 * 24 * 60 + 1"));
    assertThat(database.<Integer>write(tx -> ThreadStore.deleteOld(tx, 30, 2_000))).isEqualTo(1);
    assertThat(
            database.<Long>read(tx ->
                tx.number(
                    """
                    select (select count(*) from post) + (select count(*) from member)
                      + (select count(*) from outbox)
                    """)))
        .isZero();
  }

  @Test
  void theLeastRecentlyUpdatedThreadsGoBeyondTheSize() {
    assertThat(database.<Integer>write(tx -> ThreadStore.deleteOld(tx, 30, 900))).isEqualTo(1);
  }
}
