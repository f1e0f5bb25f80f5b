package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.rogers.presence.Registry.Delta;
import joshua.rogers.presence.Registry.StatusChange;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.state.Migration;
import joshua.state.Transaction;

/** The tables of the registry; methods run in the caller's transaction. */
public final class RegistryStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(RegistryStore.class, "0001-registry.sql");

  private static final Duration RETENTION = Duration.ofDays(30);
  private static final int MAX_CHANGES = 500_000;

  private RegistryStore() {}

  /** Loads the registry; Rogers has been subscribed since {@code now}. */
  public static Registry load(Transaction tx, Thresholds thresholds, Instant now) {
    return new Registry(
        thresholds, tx.rows(ParticipantState.Row.class, "select * from connections"), now);
  }

  /** Stores the changes of the registry. */
  public static void write(Transaction tx, Delta delta) {
    for (StatusChange change : delta.changes()) {
      tx.update(
          """
          insert into connection_events (at, mad_id, status_before, status, cause, why)
          values (?, ?, ?, ?, ?, ?)
          """,
          change.at(),
          change.name(),
          change.before(),
          change.status().state(),
          change.status().cause().word(),
          change.why());
    }
    for (ParticipantState.Row row : delta.rows()) {
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
    for (String name : delta.forgotten()) {
      tx.update("delete from connections where mad_id = ?", name);
    }
  }

  /** Deletes expired changes. */
  public static void prune(Transaction tx, Instant now) {
    tx.update(
        """
        delete from connection_events where event_id in
          (select event_id from connection_events where at < ?1
            or event_id <= (select max(event_id) from connection_events) - ?2
          order by event_id limit 1000)
        """,
        now.minus(RETENTION),
        MAX_CHANGES);
  }
}
