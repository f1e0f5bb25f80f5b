package joshua.app.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Role;
import joshua.ssh.AuditLog;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.StoreUnavailableException;

/**
 * The table {@code audit} of one MAD, to which records are only ever added (+JS-07): the database
 * itself refuses to change a record, or to delete one that is younger than a year, except for
 * viewers' commands beyond {@link #OF_VIEWERS}. After {@link #KEPT} records are deleted.
 */
public final class AuditStore implements AuditLog {
  /** How long records are kept. */
  static final Duration KEPT = Duration.ofDays(400);

  /**
   * How many records of viewers' commands are kept; beyond that, the oldest of those are deleted
   * although they are young. The same number is in the database's trigger.
   */
  public static final int OF_VIEWERS = 100_000;

  /** How many old records one write deletes. */
  static final int PRUNED_TOGETHER = 100;

  /** The most records returned by one query. */
  public static final int MOST = 1_000;

  private final Database database;
  private final Consumer<Entry> told;

  /** Used by the writing thread alone: viewers' commands since this was opened. */
  private long ofViewers;

  /**
   * Stores records in {@code database}.
   *
   * @param told receives each record once it is on disk; must not block
   */
  public AuditStore(Database database, Consumer<Entry> told) {
    this.database = database;
    this.told = told;
  }

  /** The schema of its database. */
  public static List<Migration> migrations() {
    return Migration.files(
        AuditStore.class, "0001-audit.sql", "0002-public-detail.sql", "0003-viewers.sql");
  }

  @Override
  public void record(Entry entry) throws UnrecordedException, InterruptedException {
    try {
      database.write(connection -> {
        prune(connection, entry.at());
        int inserted = insert(connection, entry);
        if (isViewers(entry) && ofViewers++ % PRUNED_TOGETHER == 0) {
          pruneViewers(connection);
        }
        return inserted;
      });
    } catch (StoreUnavailableException e) {
      throw new UnrecordedException(e);
    }
    told.accept(entry);
  }

  private static int insert(Connection connection, Entry entry) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into audit (
              at, came_from, who, fingerprint, role, action, detail, public_detail, result)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)) {
      insert.setString(1, EnvelopeCodec.timestamp(entry.at()));
      insert.setString(2, entry.from());
      insert.setString(3, entry.who());
      insert.setString(4, entry.fingerprint().orElse(null));
      insert.setString(5, entry.role().map(Role::word).orElse(null));
      insert.setString(6, entry.action().word());
      insert.setString(7, entry.detail());
      insert.setString(8, entry.publicDetail());
      insert.setString(9, entry.result());
      return insert.executeUpdate();
    }
  }

  private static void prune(Connection connection, Instant now) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            """
            delete from audit where audit_id in (
              select audit_id from audit where at < ? order by at limit ?)
            """)) {
      delete.setString(1, EnvelopeCodec.timestamp(now.minus(KEPT)));
      delete.setInt(2, PRUNED_TOGETHER);
      delete.executeUpdate();
    }
  }

  private static boolean isViewers(Entry entry) {
    return entry.action() == Action.COMMAND && entry.role().equals(Optional.of(Role.VIEWER));
  }

  /** Twice as many as are added in between, so that it catches up after a restart. */
  private static void pruneViewers(Connection connection) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            """
            delete from audit where audit_id in (
              select audit_id from audit where role = 'viewer' and action = 'command'
              order by audit_id desc limit ? offset ?)
            """)) {
      delete.setInt(1, 2 * PRUNED_TOGETHER);
      delete.setInt(2, OF_VIEWERS);
      delete.executeUpdate();
    }
  }

  /** The newest records, at most {@code count}, oldest first. */
  public List<AuditRecord> newest(int count)
      throws StoreUnavailableException, InterruptedException {
    return select(
        """
        select * from (select * from audit where audit_id > ? order by audit_id desc limit ?)
        order by audit_id
        """,
        0,
        count);
  }

  /** The records after {@code auditId}, oldest first; at most {@link #MOST}. */
  public List<AuditRecord> after(long auditId)
      throws StoreUnavailableException, InterruptedException {
    return select(
        "select * from audit where audit_id > ? order by audit_id limit ?", auditId, MOST);
  }

  private List<AuditRecord> select(String sql, long after, int count)
      throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> {
      List<AuditRecord> records = new ArrayList<>();
      try (PreparedStatement select = connection.prepareStatement(sql)) {
        select.setLong(1, after);
        select.setInt(2, Math.min(count, MOST));
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            records.add(AuditRecord.of(row));
          }
        }
      }
      return records;
    });
  }
}
