package joshua.dewey.archive;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import joshua.conversation.OutgoingMessage;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.thread.ThreadStore;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.Transaction;
import joshua.state.WatchedTime;

/**
 * Deletes the oldest messages, in small jobs between those of the {@link ArchiveWriter}: beyond the
 * size at once, and what is too old, which is looked at once a minute. Age is the time in which
 * Dewey ran, so that nothing ages in a laptop that sleeps. Mail that waits goes later, as do
 * threads that nobody updates; these have half of the size. For one thread.
 */
public final class Retention {
  private static final int MAX_ROWS = 500;
  private static final int MAX_BYTES = 16 * 1024 * 1024;
  private static final int MAX_JOBS = 10;
  private static final int MAIL_DAYS = 30;

  private final Database database;
  private final Limits limits;
  private final Predicate<OutgoingMessage> tell;
  private int seconds;
  private boolean isAgingDue;

  /**
   * How much is kept.
   *
   * @param bytes of pages in use
   * @param spared after a start: no mail goes, unless there are twice as many bytes
   */
  public record Limits(int days, long bytes, Duration spared) {}

  /**
   * A retention that has yet to {@link #tick}.
   *
   * @param tell sends a notice, and returns whether that is done
   */
  public Retention(Database database, Limits limits, Predicate<OutgoingMessage> tell) {
    this.database = database;
    this.limits = limits;
    this.tell = tell;
  }

  /** Deletes what must go, some 5 000 messages at most; called each second. */
  public void tick() {
    if (++seconds % 60 == 0) {
      var _ = database.submit(this::addMinute);
      isAgingDue = seconds >= limits.spared().toSeconds();
    }
    int deleted = MAX_ROWS;
    for (int i = 0; i < MAX_JOBS && deleted > 0; i++) {
      deleted = database.write(this::deleteSurplus);
      if (deleted == 0 && isAgingDue) {
        deleted = database.write(this::deleteOld);
        isAgingDue = deleted > 0;
      }
    }
    for (ExpiredMail.Notice each : database.read(ExpiredMail::untold)) {
      if (tell.test(notice(each))) {
        var _ = database.submit(tx -> ExpiredMail.told(tx, each));
      }
    }
  }

  private static OutgoingMessage notice(ExpiredMail.Notice expired) {
    return OutgoingMessage.to(
        expired.senderId(),
        Json.object()
            .put("notification_type", "mail_expired")
            .put("message_id", expired.messageId())
            .put("recipient", expired.recipient())
            .put("messages", expired.messages()));
  }

  /** Counts a minute in which Dewey ran. */
  int addMinute(Transaction tx) {
    tx.update("update archive set ran_minutes = ran_minutes + 1");
    tx.update("insert or ignore into ran_hour select ran_minutes / 60, last_position from archive");
    return tx.update(
        "delete from ran_hour where hour < (select ran_minutes / 60 from archive) - ?",
        mailDays() * 24);
  }

  /** Mail is kept for as long as anything. */
  private int mailDays() {
    return Math.max(MAIL_DAYS, limits.days());
  }

  /** The last of the messages that are older than some days. */
  private static long positionBefore(Transaction tx, int days) {
    return tx.number(
        """
        select coalesce(max(position), 0) from ran_hour
        where hour <= (select ran_minutes / 60 from archive) - ?
        """,
        days * 24);
  }

  /** The bytes of the pages in use. */
  static long used(Transaction tx) {
    return tx.number(
        """
        select (page_count - freelist_count) * page_size
        from pragma_page_count, pragma_freelist_count, pragma_page_size
        """);
  }

  private int deleteSurplus(Transaction tx) {
    long used = used(tx);
    boolean sparesMail = seconds < limits.spared().toSeconds() && used < 2 * limits.bytes();
    long surplus = Math.min(used - limits.bytes(), MAX_BYTES);
    return surplus <= 0 ? 0 : delete(tx, Long.MAX_VALUE, sparesMail, surplus);
  }

  private int deleteOld(Transaction tx) {
    int deleted = delete(tx, positionBefore(tx, limits.days()), true, MAX_BYTES);
    if (deleted == 0) {
      deleted = delete(tx, positionBefore(tx, mailDays()), false, MAX_BYTES);
    }
    if (deleted == 0) {
      deleted = ExpiredMail.deleteSurplus(tx, MAX_ROWS);
    }
    return deleted > 0 ? deleted : ThreadStore.deleteOld(tx, mailDays(), limits.bytes() / 2);
  }

  /** Deletes the oldest messages up to a position, until some bytes of bodies are gone. */
  private int delete(Transaction tx, long last, boolean sparesMail, long bytes) {
    List<Instant> deleted =
        tx.rows(
            Instant.class,
            """
            delete from message where position in (
              select position from (
                select position, sum(octet_length(body))
                  over (order by position rows unbounded preceding) - octet_length(body) as before
                from message
                where position <= ?1 and not (?2 and kind = 'DIRECT' and exists (
                  select 1 from mail
                  where recipient = substr(channel, length('mad.direct.') + 1)
                    and mail.position = message.position and collected_at is null))
                order by position limit ?3)
              where before < ?4)
            returning heard_at
            """,
            last,
            sparesMail,
            MAX_ROWS,
            bytes);
    deleted.stream()
        .max(Instant::compareTo)
        .ifPresent(heard -> WatchedTime.forgetBefore(tx, heard.plusMillis(1)));
    return deleted.size();
  }
}
