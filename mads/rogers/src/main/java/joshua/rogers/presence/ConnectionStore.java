package joshua.rogers.presence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.rogers.store.RetentionLimits;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;

/** The tables {@code connections} and {@code connection_events}: the registry as it is stored. */
public final class ConnectionStore {
  private static final String EVENT =
      """
      insert into connection_events (at, mad_id, status_before, status, why)
      values (?, ?, ?, ?, ?)
      """;

  private static final String ROW =
      """
      insert or replace into connections (mad_id, status, connected_at, last_heartbeat,
        status_since, why, has_beaten, interval_s, busy_until, version, via, instances)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final Database database;
  private final RetentionLimits retentionLimits;

  public ConnectionStore(Database database, RetentionLimits retentionLimits) {
    this.database = database;
    this.retentionLimits = retentionLimits;
  }

  /** All stored participants, with their last state. */
  List<ParticipantRow> all() throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> {
      List<ParticipantRow> rows = new ArrayList<>();
      try (PreparedStatement select =
          connection.prepareStatement(
              """
              select mad_id, status, connected_at, last_heartbeat, status_since, why, instances
              from connections order by status_since desc limit ?
              """)) {
        select.setInt(1, ParticipantTable.NAMES);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            rows.add(read(row));
          }
        }
      }
      return rows;
    });
  }

  private static ParticipantRow read(ResultSet row) throws SQLException {
    ConnectionState status = ConnectionState.valueOf(row.getString("status"));
    Instant lastHeard = Instant.parse(row.getString("last_heartbeat"));
    List<InstanceState> instances = InstanceStateJson.read(row.getString("instances"));
    return new ParticipantRow(
        row.getString("mad_id"),
        status,
        Instant.parse(row.getString("connected_at")),
        lastHeard,
        Instant.parse(row.getString("status_since")),
        row.getString("why"),
        instances.isEmpty()
            ? List.of(new InstanceState("", status, lastHeard, Optional.empty(), Optional.empty()))
            : instances);
  }

  /** Writes what has changed, and deletes what is too old. */
  void write(ParticipantTable.Batch batch, Instant now)
      throws StoreUnavailableException, InterruptedException {
    if (batch.isEmpty()) {
      return;
    }
    database.write(connection -> {
      writeEvents(connection, batch.changes());
      writeRows(connection, batch.rows());
      try (PreparedStatement delete =
          connection.prepareStatement("delete from connections where mad_id = ?")) {
        for (String name : batch.forgotten()) {
          delete.setString(1, name);
          delete.executeUpdate();
        }
      }
      if (!batch.changes().isEmpty()) {
        retentionLimits.prune(connection, "connection_events", "event_id", now);
      }
      return batch.changes().size();
    });
  }

  private static void writeEvents(Connection connection, List<StateChange> changes)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(EVENT)) {
      for (StateChange change : changes) {
        insert.setString(1, EnvelopeCodec.timestamp(change.at()));
        insert.setString(2, change.madId());
        insert.setString(3, change.before().map(ConnectionState::name).orElse(null));
        insert.setString(4, change.after().name());
        insert.setString(5, change.why());
        insert.executeUpdate();
      }
    }
  }

  private static void writeRows(Connection connection, List<ParticipantRow> rows)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(ROW)) {
      for (ParticipantRow row : rows) {
        Optional<HeartbeatReport> beat = row.shown().beat();
        Optional<Long> interval = beat.flatMap(HeartbeatReport::interval).map(Duration::toSeconds);
        insert.setString(1, row.madId());
        insert.setString(2, row.status().name());
        insert.setString(3, EnvelopeCodec.timestamp(row.connectedAt()));
        insert.setString(4, EnvelopeCodec.timestamp(row.lastHeartbeat()));
        insert.setString(5, EnvelopeCodec.timestamp(row.statusSince()));
        insert.setString(6, row.why());
        insert.setBoolean(7, beat.isPresent());
        insert.setObject(8, interval.orElse(null), Types.INTEGER);
        insert.setString(
            9, beat.flatMap(HeartbeatReport::busyUntil).map(EnvelopeCodec::timestamp).orElse(null));
        insert.setString(10, beat.flatMap(HeartbeatReport::version).orElse(null));
        insert.setString(11, beat.flatMap(HeartbeatReport::via).orElse(null));
        insert.setString(12, Json.write(InstanceStateJson.write(row.instances())));
        insert.executeUpdate();
      }
    }
  }
}
