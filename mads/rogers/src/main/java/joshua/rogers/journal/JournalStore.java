package joshua.rogers.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.QueryFilter;
import org.jspecify.annotations.Nullable;

/** The journal's tables, written by one thread. */
public final class JournalStore {
  /** The size of a row besides its texts: the indexes hold both ids and the time once more. */
  public static final int OVERHEAD = 450;

  /** Rows deleted in one transaction. */
  static final int PORTION = 1_000;

  /** As many as there are reasons for holes, which may alternate. */
  private static final int REASONS = 4;

  /** Holes of one reason that are no further apart than this are merged. */
  static final Duration ADJOINING = Duration.ofSeconds(1);

  private static final String COST = "octet_length(payload) + " + OVERHEAD;

  private final Database database;

  JournalStore(Database database) {
    this.database = database;
  }

  /**
   * What lies between {@code since} and {@code until} is missing from the journal, all or in part.
   */
  record Hole(long sinceMillis, long untilMillis, String reason, @Nullable Long messages) {}

  /** Adds messages, and what was left out; returns their size. */
  long add(List<JournalEntry> entries, List<Hole> holes)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      for (Hole hole : holes) {
        add(connection, hole);
      }
      return add(connection, entries);
    });
  }

  private static long add(Connection connection, List<JournalEntry> entries) throws SQLException {
    String sql =
        """
        insert into journal (at, conversation_id, correlation_id, message_id, sender_id,
          recipient_id, channel, payload, payload_bytes, cut) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;
    long cost = 0;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (JournalEntry entry : entries) {
        int i = 0;
        statement.setString(++i, stored(entry.atMillis()));
        statement.setString(++i, entry.conversationId());
        statement.setString(++i, entry.correlationId());
        statement.setString(++i, entry.messageId());
        statement.setString(++i, entry.senderId());
        statement.setString(++i, entry.recipientId());
        statement.setString(++i, entry.channel());
        statement.setString(++i, entry.payload());
        statement.setInt(++i, entry.payloadBytes());
        statement.setBoolean(++i, entry.isCut());
        statement.addBatch();
        cost += Math.min(entry.payloadBytes(), JournalEntry.PAYLOAD_LIMIT) + OVERHEAD;
      }
      statement.executeBatch();
    }
    return cost;
  }

  /** Extends the newest hole of the same reason if this one adjoins it. */
  private static void add(Connection connection, Hole hole) throws SQLException {
    String sql =
        """
        update journal_gaps
        set since = min(since, ?), until = max(until, ?), messages = messages + ?
        where gap_id = (
            select max(gap_id) from (
              select gap_id, reason from journal_gaps order by gap_id desc limit %d)
            where reason = ?)
          and until >= ? and messages is not null
        """
            .formatted(REASONS);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, stored(hole.sinceMillis()));
      statement.setString(2, stored(hole.untilMillis()));
      statement.setObject(3, hole.messages());
      statement.setString(4, hole.reason());
      statement.setString(5, stored(hole.sinceMillis() - ADJOINING.toMillis()));
      if (hole.messages() == null || statement.executeUpdate() == 0) {
        insert(connection, hole);
      }
    }
  }

  private static void insert(Connection connection, Hole hole) throws SQLException {
    String sql = "insert into journal_gaps (since, until, reason, messages) values (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, stored(hole.sinceMillis()));
      statement.setString(2, stored(hole.untilMillis()));
      statement.setString(3, hole.reason());
      statement.setObject(4, hole.messages());
      statement.executeUpdate();
    }
  }

  /** The size of all entries. */
  long held() throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> number(connection, "select sum(%s) from journal"));
  }

  /** When the last message that was written came; 0 when there is none. */
  long lastMillis() throws StoreUnavailableException, InterruptedException {
    String sql = "select at from journal order by entry_id desc limit 1";
    return database.read(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql);
          ResultSet found = statement.executeQuery()) {
        return found.next() ? Instant.parse(found.getString(1)).toEpochMilli() : 0;
      }
    });
  }

  /** Deletes a portion of the oldest entries; returns their size. */
  long deleteOldest() throws StoreUnavailableException, InterruptedException {
    String oldest = "select entry_id from journal order by entry_id limit " + PORTION;
    return database.write(connection -> {
      long freed =
          number(connection, "select sum(%s) from journal where entry_id in (" + oldest + ")");
      try (PreparedStatement statement =
          connection.prepareStatement("delete from journal where entry_id in (" + oldest + ")")) {
        statement.executeUpdate();
      }
      return freed;
    });
  }

  /**
   * Deletes a portion of the entries before {@code millis}; returns their size, 0 if there are
   * none.
   */
  long deleteBefore(long millis) throws StoreUnavailableException, InterruptedException {
    String old =
        "select entry_id from journal where at < '%s' order by at limit %d"
            .formatted(stored(millis), PORTION);
    return database.write(connection -> {
      long freed =
          number(connection, "select sum(%s) from journal where entry_id in (" + old + ")");
      try (PreparedStatement entries =
              connection.prepareStatement("delete from journal where entry_id in (" + old + ")");
          PreparedStatement gaps =
              connection.prepareStatement(
                  "delete from journal_gaps where gap_id in (select gap_id from journal_gaps"
                      + " where until < ? order by since limit "
                      + PORTION
                      + ")")) {
        entries.executeUpdate();
        gaps.setString(1, stored(millis));
        gaps.executeUpdate();
      }
      return freed;
    });
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.replace("%s", COST));
        ResultSet found = statement.executeQuery()) {
      return found.next() ? found.getLong(1) : 0;
    }
  }

  private static String stored(long millis) {
    return QueryFilter.stored(Instant.ofEpochMilli(millis));
  }
}
