package joshua.rogers.count;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import joshua.state.Migration;
import joshua.state.Transaction;

/** Stores the counts, and when nobody counted; each method is a job, or a part of one. */
public final class TrafficStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(TrafficStore.class, "0001-traffic.sql");

  private static final Duration RETENTION = Duration.ofDays(400);

  private TrafficStore() {}

  /** Begins to count; what was published since the last time is not seen. */
  public static void begin(Transaction tx, Instant from) {
    boolean isFirst = tx.update("insert or ignore into watermark values (1, ?1, ?1, 0)", from) > 0;
    if (!isFirst && !end(tx, from)) {
      long before = tx.number("select seen_until_at from watermark");
      notSeen(tx, Instant.ofEpochMilli(before), from, "Rogers wasn't running");
    }
  }

  /** How many messages have been counted in all. */
  public static long passed(Transaction tx) {
    return tx.number("select coalesce(sum(messages), 0) from traffic");
  }

  /** Adds what was counted, and how many messages a second there were lately. */
  public static void add(
      Transaction tx, Collection<Count> counts, Instant seenUntil, double perSecond) {
    for (Count count : counts) {
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

  /** How many messages a sender has sent in an hour. */
  public static long sent(Transaction tx, String sender, Instant hour) {
    return tx.number(
        "select coalesce(sum(messages), 0) from traffic where hour_at = ? and sender_id = ?",
        hour,
        sender);
  }

  /** Nothing is seen from a time on. */
  public static int away(Transaction tx, Instant since) {
    return tx.update(
        """
        insert into not_seen (since_at, reason) select ?, 'the connection to Redis was broken'
        where not exists (select 1 from not_seen where until_at is null)
        """,
        since);
  }

  /** All is seen again. */
  public static void back(Transaction tx, Instant since, Instant until) {
    if (!end(tx, until)) {
      notSeen(tx, since, until, "the connection to Redis was broken");
    }
  }

  private static boolean end(Transaction tx, Instant until) {
    return tx.update("update not_seen set until_at = ? where until_at is null", roundedUp(until))
        > 0;
  }

  private static void notSeen(Transaction tx, Instant since, Instant until, String reason) {
    tx.update(
        "insert into not_seen (since_at, until_at, reason) values (min(?1, ?2), ?2, ?3)",
        since,
        roundedUp(until),
        reason);
  }

  /** So that a span that ends within a millisecond has all of it. */
  private static Instant roundedUp(Instant time) {
    return time.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Deletes some of what is too old; from then on it counts as not seen, and never as nothing. */
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
