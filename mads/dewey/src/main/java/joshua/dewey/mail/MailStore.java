package joshua.dewey.mail;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The tables of direct messages by recipient; methods run in the caller's transaction. */
public final class MailStore {
  public static final List<Migration> MIGRATIONS = Migration.load(MailStore.class, "0001-mail.sql");

  private MailStore() {}

  /** Opens a mailbox for somebody who has joined, unless there is one. */
  public static void joined(Transaction tx, String name, Instant at) {
    tx.update("insert or ignore into mailbox values (?, ?)", name, at);
  }

  /**
   * Adds a message to a recipient's mail. An answer is mail only for those who have joined once;
   * else each program that asked something and left would have a mailbox full of notices.
   *
   * @param heardAt the time at which the recipient heard it by itself; null if it didn't
   */
  public static void add(
      Transaction tx,
      String recipient,
      long position,
      Envelope envelope,
      @Nullable Instant heardAt) {
    tx.update(
        """
        insert into mail select ?1, ?2, ?3, ?4, null, null, ?5, iif(?5 is null, null, 'bus')
        where ?6 = 0 or exists (select 1 from mailbox where recipient = ?1)
        """,
        recipient,
        position,
        envelope.messageId(),
        envelope.senderId(),
        heardAt,
        envelope.isAnswer());
  }

  /** The mail of a recipient behind a position, oldest first. */
  public static List<KeptMessage> page(
      Transaction tx, String recipient, boolean unreadOnly, long after, int limit) {
    return tx.rows(
        KeptMessage.class,
        """
        select m.position, m.heard_at, m.body, iif(mail.collected_at is null, 'waiting', 'collected')
        from mail join message m using (position)
        where mail.recipient = ? and (? = 0 or mail.collected_at is null) and mail.position > ?
        order by mail.position limit ?
        """,
        recipient,
        unreadOnly,
        after,
        limit);
  }

  /** The position of a message in a recipient's mail, if it is there. */
  public static Optional<Long> position(Transaction tx, String recipient, String messageId) {
    return tx.row(
        Long.class,
        "select position from mail where recipient = ? and message_id = ?",
        recipient,
        messageId);
  }

  /** The number of a recipient's uncollected messages behind a position. */
  public static long waiting(Transaction tx, String recipient, long after, long through) {
    return tx.number(
        """
        select count(*) from mail
        where recipient = ? and collected_at is null and position > ? and position <= ?
        """,
        recipient,
        after,
        through);
  }

  /** A message that waits, and whether its recipient was given it before. */
  public record Waiting(long position, String messageId, String body, boolean given) {}

  /** The mail of a recipient that waits, oldest first. */
  public static List<Waiting> waiting(Transaction tx, String recipient, int limit) {
    return tx.rows(
        Waiting.class,
        """
        select m.position, m.message_id, m.body, mail.given_at is not null
        from mail join message m using (position)
        where mail.recipient = ? and mail.collected_at is null
        order by mail.position limit ?
        """,
        recipient,
        limit);
  }

  /** Marks messages as given to their recipient, unless they are. */
  public static void give(
      Transaction tx, String recipient, List<String> ids, Instant at, String by) {
    tx.update(
        """
        update mail set given_at = ?, given_by = ?
        where recipient = ? and given_at is null
          and message_id in (select value from json_each(?))
        """,
        at,
        by,
        recipient,
        json(ids));
  }

  /** Marks messages as collected, unless they are; returns how many. */
  public static int collect(
      Transaction tx, String recipient, List<String> ids, Instant at, String by) {
    return tx.update(
        """
        update mail set collected_at = ?, collected_by = ?
        where recipient = ? and collected_at is null
          and message_id in (select value from json_each(?))
        """,
        at,
        by,
        recipient,
        json(ids));
  }

  /** Marks what a recipient was given, up to a message, as collected. */
  public static void collectGiven(
      Transaction tx, String recipient, String lastId, Instant at, String by) {
    tx.update(
        """
        update mail set collected_at = ?1, collected_by = ?2
        where recipient = ?3 and collected_at is null and given_at is not null
          and position <= (select position from mail where recipient = ?3 and message_id = ?4)
        """,
        at,
        by,
        recipient,
        lastId);
  }

  private static String json(List<String> ids) {
    return Json.mapper().valueToTree(ids).toString();
  }

  /** Marks a message as collected, unless it is. */
  public static void collect(
      Transaction tx, String recipient, long position, Instant at, String by) {
    tx.update(
        """
        update mail set collected_at = ?, collected_by = ?
        where recipient = ? and position = ? and collected_at is null
        """,
        at,
        by,
        recipient,
        position);
  }

  /** Marks messages as waiting again, and returns how many. */
  public static int restore(Transaction tx, String recipient, List<Long> positions) {
    return tx.update(
        """
        update mail set collected_at = null, collected_by = null
        where recipient = ? and position in (select value from json_each(?))
        """,
        recipient,
        positions.toString());
  }
}
