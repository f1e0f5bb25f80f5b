package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.rogers.presence.Registry.Change;
import joshua.rogers.presence.Registry.News;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.state.Migration;
import joshua.state.Transaction;

/** Stores the registry; each method is a job, or a part of one. */
public final class RegistryStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(RegistryStore.class, "0001-registry.sql");

  private static final Duration RETENTION = Duration.ofDays(30);
  private static final int MOST_CHANGES = 500_000;

  private RegistryStore() {}

  /** The registry with everybody who was known; {@code now} is since when Rogers is subscribed. */
  public static Registry registry(Transaction tx, Thresholds thresholds, Instant now) {
    return new Registry(
        thresholds, tx.rows(Participant.Row.class, "select * from connections"), now);
  }

  /** Stores what has become different. */
  public static void write(Transaction tx, News news) {
    for (Change change : news.changes()) {
      tx.update(
          """
          insert into connection_events (at, mad_id, status_before, status, cause, why)
          values (?, ?, ?, ?, ?, ?)
          """,
          change.at(),
          change.name(),
          change.before(),
          change.standing().state(),
          change.standing().cause().word(),
          change.why());
    }
    for (Participant.Row row : news.rows()) {
      tx.update(
          """
          insert or replace into connections
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          row.madId(),
          row.status(),
          row.cause().word(),
          row.why(),
          row.connectedAt(),
          row.lastHeartbeat(),
          row.sinceAt(),
          row.hasBeaten(),
          row.leftAt(),
          row.leftReason(),
          row.busyUntilAt(),
          row.intervalS(),
          row.version(),
          row.via(),
          row.viaInstance(),
          row.instances());
    }
    for (String name : news.forgotten()) {
      tx.update("delete from connections where mad_id = ?", name);
    }
  }

  /** Deletes changes that are too old. */
  public static void prune(Transaction tx, Instant now) {
    tx.update(
        """
        delete from connection_events where event_id in
          (select event_id from connection_events where at < ?1
            or event_id <= (select max(event_id) from connection_events) - ?2
          order by event_id limit 1000)
        """,
        now.minus(RETENTION),
        MOST_CHANGES);
  }
}
