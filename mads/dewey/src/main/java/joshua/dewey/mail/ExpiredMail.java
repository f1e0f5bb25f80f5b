package joshua.dewey.mail;

import java.time.Instant;
import java.util.List;
import joshua.state.Transaction;

/** Mail that was deleted uncollected; methods run in the caller's transaction. */
public final class ExpiredMail {
  private static final int MAX_WAITING = 10_000;

  private ExpiredMail() {}

  /** What a sender is told of its mail to one recipient. */
  public record Notice(String recipient, String senderId, String messageId, int messages) {}

  /** The positions of some of what waits beyond {@value #MAX_WAITING} messages a recipient. */
  public static List<Long> surplus(Transaction tx, int limit) {
    return tx.rows(
        Long.class,
        """
        select position from (
          select position,
            row_number() over (partition by recipient order by position desc) as place
          from mail where collected_at is null)
        where place > ? order by place desc limit ?
        """,
        MAX_WAITING,
        limit);
  }

  /** Deletes the mail at positions, a JSON array, and notes which of it nobody collected. */
  public static void delete(Transaction tx, String positions, Instant at) {
    tx.update(
        """
        insert into expired_mail
        select recipient, mail.sender_id, max(mail.message_id), count(*), ?2, 0
        from message join mail
          on recipient = substr(channel, length('mad.direct.') + 1)
          and mail.position = message.position
        where message.position in (select value from json_each(?1)) and collected_at is null
        group by recipient, mail.sender_id
        on conflict do update set
          messages = messages + excluded.messages, expired_at = excluded.expired_at
        """,
        positions,
        at);
    tx.update(
        """
        delete from mail where (recipient, position) in (
          select substr(channel, length('mad.direct.') + 1), position from message
          where kind = 'DIRECT' and position in (select value from json_each(?)))
        """,
        positions);
  }

  /** How many messages to a recipient have expired since it was told. */
  public static long count(Transaction tx, String recipient) {
    return tx.number(
        "select coalesce(sum(messages), 0) from expired_mail where recipient = ?", recipient);
  }

  /** Forgets what a recipient was told at a time. */
  public static int forget(Transaction tx, String recipient, Instant toldAt) {
    return tx.update(
        "delete from expired_mail where recipient = ? and expired_at < ?", recipient, toldAt);
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
