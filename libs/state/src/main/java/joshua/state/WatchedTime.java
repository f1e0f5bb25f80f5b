package joshua.state;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a service watched the bus, and the gaps in it; methods run in the caller's
 * transaction. All but {@link #start} need a start before them.
 */
public final class WatchedTime {
  public static final List<Migration> MIGRATIONS =
      Migration.load(WatchedTime.class, "0001-watched-time.sql");

  private WatchedTime() {}

  private record GapSummary(Instant since, @Nullable Instant until, String reason, long spans) {}

  /** Starts to watch; the time since the last run becomes a gap, if none is open. */
  public static void start(Transaction tx, Instant from, String notRunning) {
    boolean isFirst =
        tx.update("insert into watched values (1, ?1, ?1) on conflict do nothing", from) > 0;
    if (!isFirst && !closeOpenGap(tx, from)) {
      long before = tx.number("select until_at from watched");
      insertGap(tx, Instant.ofEpochMilli(before), from, notRunning);
    }
  }

  /** Stores until when everything has been received, but for gaps. */
  public static void watchedUntil(Transaction tx, Instant until) {
    tx.update("update watched set until_at = ?", until);
  }

  /** Opens a gap, unless one is open. */
  public static int begin(Transaction tx, Instant since, String reason) {
    return tx.update(
        """
        insert into not_seen (since_at, reason) select ?, ?
        where not exists (select 1 from not_seen where until_at is null)
        """,
        since,
        reason);
  }

  /** Closes the open gap, or adds it if its beginning wasn't stored. */
  public static void end(Transaction tx, Instant since, Instant until, String reason) {
    if (!closeOpenGap(tx, until)) {
      insertGap(tx, since, until, reason);
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

  /** Makes the time before one, of which all is deleted, count as not watched. */
  public static void forgetBefore(Transaction tx, Instant before) {
    tx.update("delete from not_seen where until_at <= ?", before);
    tx.update("update watched set since_at = ?1 where since_at < ?1", before);
  }

  /** The first start, or the time from which on all is kept. */
  public static Instant since(Transaction tx) {
    return Instant.ofEpochMilli(tx.number("select since_at from watched"));
  }

  /**
   * The caveats of an answer about a span of time; null where it has no bound.
   *
   * @param service its name in sentences, as {@code Rogers}
   * @param verb what it does while it watches, as {@code watching}
   */
  public static List<String> caveats(
      Transaction tx,
      @Nullable Instant since,
      @Nullable Instant until,
      String service,
      String verb) {
    Instant first = since == null ? until : since; // "before noon" may be before all
    List<String> caveats =
        new ArrayList<>(first == null ? List.of() : beforeStart(tx, first, service));
    tx.row(
            GapSummary.class,
            """
            select since_at, until_at, reason, count(*) over () from not_seen
            where (?1 is null or until_at is null or until_at > ?1)
              and (?2 is null or since_at < ?2)
            order by since_at desc limit 1
            """,
            since,
            until)
        .ifPresent(gap -> caveats.add(sentence(gap, service, verb)));
    return caveats;
  }

  /** The caveat of a time before {@link #since}; none for one after. */
  public static List<String> beforeStart(Transaction tx, Instant time, String service) {
    Instant begin = since(tx);
    return time.isBefore(begin)
        ? List.of("%s knows nothing of before %s.".formatted(service, Timestamps.format(begin)))
        : List.of();
  }

  private static String sentence(GapSummary gap, String service, String verb) {
    String times =
        gap.spans() == 1 ? "" : "%d times in that time, the last ".formatted(gap.spans());
    String from = Timestamps.format(gap.since());
    return gap.until() == null
        ? "%s hasn't been %s %ssince %s (%s).".formatted(service, verb, times, from, gap.reason())
        : "%s wasn't %s %sfrom %s to %s (%s)."
            .formatted(service, verb, times, from, Timestamps.format(gap.until()), gap.reason());
  }
}
