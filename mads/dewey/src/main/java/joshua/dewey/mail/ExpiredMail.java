package joshua.dewey.mail;

import java.util.List;
import joshua.state.Transaction;

/**
 * Mail that was deleted uncollected, which triggers note; methods run in the caller's transaction.
 */
public final class ExpiredMail {
  private static final int MAX_WAITING = 10_000;

  private ExpiredMail() {}

  /** What a sender is told of its mail to one recipient; the last message has the id. */
  public record Notice(String recipient, String senderId, String messageId, int messages) {}

  /** Deletes some of what waits beyond {@value #MAX_WAITING} messages a recipient, the oldest. */
  public static int deleteSurplus(Transaction tx, int limit) {
    return tx.update(
        """
        delete from mail where (recipient, position) in (
          select recipient, position from (
            select recipient, position,
              row_number() over (partition by recipient order by position desc) as place
            from mail where collected_at is null)
          where place > ? order by place desc limit ?)
        """,
        MAX_WAITING,
        limit);
  }

  /** How many messages to a recipient have expired since it was told. */
  public static long count(Transaction tx, String recipient) {
    return tx.number(
        "select coalesce(sum(messages), 0) from expired_mail where recipient = ?", recipient);
  }

  /** Forgets what a recipient was told, unless more has expired since. */
  public static int forget(Transaction tx, String recipient, long told) {
    return count(tx, recipient) > told
        ? 0
        : tx.update("delete from expired_mail where recipient = ?", recipient);
  }

  /** What some senders are yet to be told. */
  public static List<Notice> untold(Transaction tx) {
    return tx.rows(
        Notice.class,
        """
        select recipient, sender_id, message_id, messages from expired_mail where told = 0 limit 100
        """);
  }

  /** Marks a notice as sent. */
  public static int told(Transaction tx, Notice notice) {
    return tx.update(
        "update expired_mail set told = 1 where recipient = ? and sender_id = ?",
        notice.recipient(),
        notice.senderId());
  }
}
