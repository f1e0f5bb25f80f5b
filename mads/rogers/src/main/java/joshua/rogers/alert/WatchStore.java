package joshua.rogers.alert;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.rogers.store.RetentionLimits;
import joshua.rogers.tap.DeadLetterBuffer;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;

/**
 * The tables {@code dead_letters}, {@code unheard} and {@code alarms}: the stored alerts. For one
 * thread.
 */
public final class WatchStore {
  /** Dead letters that are kept, whatever the limits of the history. */
  static final int LETTERS = 10_000;

  /** Messages that are alike count as one dead letter for this long. */
  private static final Duration ALIKE_WITHIN = SystemEvents.QUIET;

  private static final double HOUR_SECONDS = 3_600;

  private record Kept(long letterId, Instant at) {}

  private final Database database;
  private final RetentionLimits retentionLimits;
  private final RetentionLimits letterHistory;
  // Oldest first; all within the time in which messages are alike.
  private final Map<List<Object>, Kept> recent = new LinkedHashMap<>();

  public WatchStore(Database database, RetentionLimits retentionLimits) {
    this.database = database;
    this.retentionLimits = retentionLimits;
    this.letterHistory =
        new RetentionLimits(Math.min(LETTERS, retentionLimits.rows()), retentionLimits.age());
  }

  /** How many messages a second each sender sent in the last full hour. */
  Map<String, Double> usualRates(Instant now)
      throws StoreUnavailableException, InterruptedException {
    String hour =
        EnvelopeCodec.timestamp(now.truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS));
    return database.read(connection -> {
      Map<String, Double> rates = new HashMap<>();
      try (PreparedStatement select =
          connection.prepareStatement(
              """
              select sender_id, sum(message_count) from hourly_metrics
              where hour_timestamp = ? group by sender_id
              """)) {
        select.setString(1, hour);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            rates.put(row.getString(1), row.getLong(2) / HOUR_SECONDS);
          }
        }
      }
      return rates;
    });
  }

  /** Writes what was noticed, and deletes what is too old. */
  void write(List<DeadLetterBuffer.Letter> letters, List<SystemEvents.Event> events, Instant now)
      throws StoreUnavailableException, InterruptedException {
    boolean nothing = events.stream().noneMatch(event -> event.kind() != SystemEvents.Kind.STATE);
    if (letters.isEmpty() && nothing) {
      return;
    }
    forget(now);
    Map<List<Object>, Kept> added =
        database.write(connection -> {
          Map<List<Object>, Kept> kept = writeLetters(connection, letters);
          for (SystemEvents.Event event : events) {
            write(connection, event);
          }
          letterHistory.prune(connection, "dead_letters", "letter_id", now);
          retentionLimits.prune(connection, "unheard", "unheard_id", now);
          retentionLimits.prune(connection, "alarms", "alarm_id", now);
          return kept;
        });
    recent.putAll(added);
  }

  private void forget(Instant now) {
    Iterator<Kept> oldest = recent.values().iterator();
    while (oldest.hasNext() && !oldest.next().at().plus(ALIKE_WITHIN).isAfter(now)) {
      oldest.remove();
    }
  }

  private Map<List<Object>, Kept> writeLetters(
      Connection connection, List<DeadLetterBuffer.Letter> letters) throws SQLException {
    Map<List<Object>, Kept> added = new LinkedHashMap<>();
    for (DeadLetterBuffer.Letter letter : letters) {
      Kept alike = recent.get(letter.likeness());
      if (alike == null) {
        added.put(letter.likeness(), new Kept(insert(connection, letter), letter.at()));
      } else {
        try (PreparedStatement update =
            connection.prepareStatement(
                "update dead_letters set messages = messages + ? where letter_id = ?")) {
          update.setLong(1, letter.messages());
          update.setLong(2, alike.letterId());
          update.executeUpdate();
        }
      }
    }
    return added;
  }

  private static long insert(Connection connection, DeadLetterBuffer.Letter letter)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into dead_letters (at, channel, reason, head, size, messages)
            values (?, ?, ?, ?, ?, ?) returning letter_id
            """)) {
      insert.setString(1, EnvelopeCodec.timestamp(letter.at()));
      insert.setString(2, letter.channel());
      insert.setString(3, letter.reason());
      insert.setString(4, letter.head());
      insert.setInt(5, letter.size());
      insert.setLong(6, letter.messages());
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void write(Connection connection, SystemEvents.Event event) throws SQLException {
    switch (event.kind()) {
      case STATE, DEAD_LETTER, LOSS -> {
        // The registry and the dead letters hold these one by one.
      }
      case UNHEARD -> {
        try (PreparedStatement insert =
            connection.prepareStatement(
                "insert into unheard (at, channel, messages) values (?, ?, ?)")) {
          insert.setString(1, EnvelopeCodec.timestamp(event.at()));
          insert.setString(2, event.subject());
          insert.setLong(3, event.count());
          insert.executeUpdate();
        }
      }
      case STORM, LOOP -> {
        try (PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into alarms (at, kind, subject, participants, messages, detail)
                values (?, ?, ?, ?, ?, ?)
                """)) {
          insert.setString(1, EnvelopeCodec.timestamp(event.at()));
          insert.setString(2, event.kind().word());
          insert.setString(3, event.subject());
          insert.setString(4, Json.write(event.detail().withArray("participants")));
          insert.setLong(5, event.count());
          insert.setString(6, event.detail().path("why").asText());
          insert.executeUpdate();
        }
      }
    }
  }
}
