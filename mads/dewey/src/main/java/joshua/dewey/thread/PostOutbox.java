package joshua.dewey.thread;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.state.Database;
import joshua.state.Pulse;

/**
 * The sender of posts: publishes a copy of each to each other member, as a direct message of its
 * author, and again with the same message id until it is in the archive. It also wakes calls that
 * wait for a post.
 */
public final class PostOutbox {
  /** The member of a copy's payload that says which post it is. */
  public static final String THREAD = "thread";

  private static final Duration ON_THE_WAY = Duration.ofSeconds(1);
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);
  private static final int MAX_COPIES = 100;

  private final Database database;
  private final InstantSource time;
  private final Supplier<Instant> heardUntil;
  private final Function<OutgoingMessage, SendResult> send;
  private final Pulse posts = new Pulse();

  /**
   * An outbox that has yet to {@link #sendSome}.
   *
   * @param heardUntil until when the archive has what was published
   */
  public PostOutbox(
      Database database,
      InstantSource time,
      Supplier<Instant> heardUntil,
      Function<OutgoingMessage, SendResult> send) {
    this.database = database;
    this.time = time;
    this.heardUntil = heardUntil;
    this.send = send;
  }

  /** Its count of posts that have been stored. */
  public Pulse posts() {
    return posts;
  }

  /** Waits until a post is in the mail of a recipient. */
  public void awaitMail(UUID messageId, Duration most) throws InterruptedException {
    Instant end = time.instant().plus(most);
    while (time.instant().isBefore(end)
        && database.<Long>read(
                tx -> tx.number("select count(*) from mail where message_id = ?", messageId))
            == 0) {
      posts.await(posts.changes(), LOOK_INTERVAL);
    }
  }

  private record Copy(
      long copyId,
      String recipient,
      UUID messageId,
      String senderId,
      UUID threadId,
      ObjectNode payload) {

    OutgoingMessage message() {
      return OutgoingMessage.to(recipient, payload)
          .from(senderId)
          .withMessageId(messageId)
          .withConversation(threadId)
          .withCorrelation(messageId);
    }
  }

  /** Sends copies in order until Redis doesn't take one, and again what the archive hasn't got. */
  public void sendSome() {
    if (database.<Long>read(tx -> tx.number("select count(*) from outbox")) == 0) {
      return;
    }
    Instant now = time.instant();
    Instant lost = heardUntil.get().minus(ON_THE_WAY);
    List<Copy> copies =
        database.write(tx -> {
          tx.update(
              """
              delete from outbox where exists (
                select 1 from mail
                where mail.message_id = outbox.message_id and mail.recipient = outbox.recipient)
              """);
          return tx.rows(
              Copy.class,
              """
              select copy_id, recipient, message_id, sender_id, thread_id,
                json_set(body, '$.thread', json_object('id', thread_id, 'title', title,
                  'status', lower(status), 'seq', seq, 'kind', kind, 'in_reply_to', in_reply_to))
              from outbox join post using (message_id) join thread using (thread_id)
              where sent_at is null or sent_at < ? order by copy_id limit ?
              """,
              lost,
              MAX_COPIES);
        });
    List<Long> sent =
        copies.stream()
            .takeWhile(copy -> send.apply(copy.message()) instanceof SendResult.Accepted)
            .map(Copy::copyId)
            .toList();
    if (!sent.isEmpty()) {
      database.write(tx ->
          tx.update(
              """
              update outbox set sent_at = ? where copy_id in (select value from json_each(?))
              """,
              now,
              sent.toString()));
    }
  }
}
