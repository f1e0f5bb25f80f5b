package joshua.rogers.count;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import joshua.state.Migration;
import joshua.state.Transaction;
import joshua.state.WatchedTime;

/** The tables of message counts; methods run in the caller's transaction. */
public final class TrafficStore {
  /** With those of {@link WatchedTime}, which fall between: 0002 fills its table. */
  public static final List<Migration> MIGRATIONS =
      Stream.of(
              Migration.load(TrafficStore.class, "0001-traffic.sql"),
              WatchedTime.MIGRATIONS,
              Migration.load(TrafficStore.class, "0002-watched.sql"))
          .flatMap(List::stream)
          .toList();

  private static final Duration RETENTION = Duration.ofDays(400);

  private TrafficStore() {}

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
    tx.update("update watermark set per_second = ?", perSecond);
    WatchedTime.watchedUntil(tx, seenUntil);
  }

  /** The number of messages that a sender sent in an hour. */
  public static long messagesSent(Transaction tx, String sender, Instant hour) {
    return tx.number(
        "select coalesce(sum(messages), 0) from traffic where hour_at = ? and sender_id = ?",
        hour,
        sender);
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
      WatchedTime.forgetBefore(tx, before);
    }
  }
}
