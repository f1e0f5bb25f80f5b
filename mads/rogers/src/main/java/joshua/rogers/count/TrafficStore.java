package joshua.rogers.count;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import joshua.state.Migration;
import joshua.state.Transaction;

/** The tables of message counts and monitoring gaps; methods run in the caller's transaction. */
public final class TrafficStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(TrafficStore.class, "0001-traffic.sql");

  /** Reasons of gaps; that Rogers was stopped in order is no problem, see {@code problems.sql}. */
  public static final String BROKEN = "the connection to Redis was broken";

  public static final String STOPPED = "Rogers was stopped";

  private static final Duration RETENTION = Duration.ofDays(400);

  private TrafficStore() {}

  /** Starts to count; the time since the last run becomes a monitoring gap. */
  public static void start(Transaction tx, Instant from) {
    boolean isFirst = tx.update("insert or ignore into watermark values (1, ?1, ?1, 0)", from) > 0;
    if (!isFirst && !closeOpenGap(tx, from)) {
      long before = tx.number("select seen_until_at from watermark");
      insertGap(tx, Instant.ofEpochMilli(before), from, "Rogers wasn't running");
    }
  }

  /** The number of all messages counted so far. */
  public static long totalMessages(Transaction tx) {
    return tx.number("select coalesce(sum(messages), 0) from traffic");
  }

  /** Adds counts, and replaces the recent rate. */
  public static void add(
      Transaction tx, Collection<TrafficCount> counts, Instant seenUntil, double perSecond) {
    for (TrafficCount count : counts) {
      tx.update(
          """
          insert into traffic values (?, ?, ?, ?, ?, ?)
          on conflict do update set
            messages = messages + excluded.messages, bytes = bytes + excluded.bytes
          """,
          count.hour(),
          count.sender(),
          count.channel(),
          count.kind().pattern(),
          count.messages(),
          count.bytes());
    }
    tx.update("update watermark set seen_until_at = ?, per_second = ?", seenUntil, perSecond);
  }

  /** The number of messages that a sender sent in an hour. */
  public static long messagesSent(Transaction tx, String sender, Instant hour) {
    return tx.number(
        "select coalesce(sum(messages), 0) from traffic where hour_at = ? and sender_id = ?",
        hour,
        sender);
  }

  /** Opens a monitoring gap, unless one is open. */
  public static int beginGap(Transaction tx, Instant since, String reason) {
    return tx.update(
        """
        insert into not_seen (since_at, reason) select ?, ?
        where not exists (select 1 from not_seen where until_at is null)
        """,
        since,
        reason);
  }

  /** Closes the open monitoring gap, or adds it if its beginning wasn't stored. */
  public static void endGap(Transaction tx, Instant since, Instant until) {
    if (!closeOpenGap(tx, until)) {
      insertGap(tx, since, until, BROKEN);
    }
  }

  private static boolean closeOpenGap(Transaction tx, Instant until) {
    return tx.update("update not_seen set until_at = ? where until_at is null", ceilToMillis(until))
        > 0;
  }

  private static void insertGap(Transaction tx, Instant since, Instant until, String reason) {
    tx.update(
        "insert into not_seen (since_at, until_at, reason) values (min(?1, ?2), ?2, ?3)",
        since,
        ceilToMillis(until),
        reason);
  }

  /** Rounds up, so that a gap that ends within a millisecond includes all of it. */
  private static Instant ceilToMillis(Instant time) {
    return time.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Deletes some expired counts; their time then counts as not watched, rather than quiet. */
  public static void prune(Transaction tx, Instant now) {
    Instant before = now.minus(RETENTION).truncatedTo(ChronoUnit.HOURS);
    int pruned =
        tx.update(
            """
            delete from traffic where (hour_at, sender_id, channel) in
              (select hour_at, sender_id, channel from traffic where hour_at < ? limit 1000)
            """,
            before);
    if (pruned > 0) {
      tx.update("delete from not_seen where until_at <= ?", before);
      tx.update("update watermark set counted_since_at = max(counted_since_at, ?)", before);
    }
  }
}
