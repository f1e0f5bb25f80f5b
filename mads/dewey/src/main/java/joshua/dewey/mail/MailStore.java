package joshua.dewey.mail;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.Envelope;
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
        insert into mail select ?1, ?2, ?3, ?4, ?5, iif(?5 is null, null, 'bus')
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
  public static long waiting(Transaction tx, String recipient, long after) {
    return tx.number(
        """
        select count(*) from mail
        where recipient = ? and collected_at is null and position > ?
        """,
        recipient,
        after);
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
