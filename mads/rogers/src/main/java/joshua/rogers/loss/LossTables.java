package joshua.rogers.loss;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import joshua.conversation.EnvelopeCodec;

/** The tables {@code losses}, {@code losers}, {@code reconciled} and {@code not_compared}. */
final class LossTables {
  /** Rows of each table of single findings; the oldest are deleted first. */
  static final int ROWS = 100_000;

  private LossTables() {}

  static void add(Connection connection, LedgerFindings ledgerFindings, Instant now)
      throws SQLException {
    addLosses(connection, ledgerFindings, now);
    addLosers(connection, ledgerFindings);
    addUncompared(connection, ledgerFindings);
    addToHour(connection, ledgerFindings);
  }

  private static void addLosses(Connection connection, LedgerFindings ledgerFindings, Instant now)
      throws SQLException {
    String sql =
        """
        insert into losses
          (at, since, until, hop, relay, instance, rule, subject, expected, actual, reason)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (LedgerFindings.Difference difference : ledgerFindings.differences()) {
        statement.setString(1, text(now));
        statement.setString(2, text(difference.since()));
        statement.setString(3, text(difference.until()));
        statement.setString(4, difference.hop().of(ledgerFindings.relay().name()));
        statement.setString(5, ledgerFindings.relay().name());
        statement.setString(6, ledgerFindings.relay().instance());
        statement.setInt(7, difference.rule());
        statement.setString(8, difference.subject());
        statement.setLong(9, difference.expected());
        statement.setLong(10, difference.actual());
        statement.setString(11, difference.reason());
        statement.executeUpdate();
      }
    }
  }

  private static void addLosers(Connection connection, LedgerFindings ledgerFindings)
      throws SQLException {
    String sql =
        """
        insert into losers (at, relay, client_id, missed, reason) values (?, ?, ?, ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (LedgerPage.Loser loser : ledgerFindings.losers()) {
        statement.setString(1, text(ledgerFindings.at()));
        statement.setString(2, ledgerFindings.relay().name());
        statement.setString(3, loser.clientId());
        if (loser.missed().isPresent()) {
          statement.setLong(4, loser.missed().getAsLong());
        } else {
          statement.setNull(4, Types.INTEGER);
        }
        statement.setString(5, loser.reason());
        statement.executeUpdate();
      }
    }
  }

  private static void addUncompared(Connection connection, LedgerFindings ledgerFindings)
      throws SQLException {
    if (ledgerFindings.uncompared().isEmpty()) {
      return;
    }
    LedgerFindings.Uncompared span = ledgerFindings.uncompared().get();
    String sql =
        """
        insert into not_compared (since, until, relay, instance, reason) values (?, ?, ?, ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, text(span.since()));
      statement.setString(2, text(span.until()));
      statement.setString(3, ledgerFindings.relay().name());
      statement.setString(4, ledgerFindings.relay().instance());
      statement.setString(5, span.reason());
      statement.executeUpdate();
    }
  }

  private static void addToHour(Connection connection, LedgerFindings ledgerFindings)
      throws SQLException {
    String sql =
        """
        insert into reconciled
          (relay, instance, hour_timestamp, cuts, compared, not_comparable, messages, dropped)
        values (?, ?, ?, ?, ?, ?, ?, ?)
        on conflict do update set
          cuts = cuts + excluded.cuts,
          compared = compared + excluded.compared,
          not_comparable = not_comparable + excluded.not_comparable,
          messages = messages + excluded.messages,
          dropped = dropped + excluded.dropped
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, ledgerFindings.relay().name());
      statement.setString(2, ledgerFindings.relay().instance());
      statement.setString(3, text(ledgerFindings.at().truncatedTo(ChronoUnit.HOURS)));
      statement.setInt(4, ledgerFindings.ledgers());
      statement.setInt(5, ledgerFindings.compared());
      statement.setInt(6, ledgerFindings.notComparable());
      statement.setLong(7, ledgerFindings.messages());
      statement.setLong(8, ledgerFindings.dropped());
      statement.executeUpdate();
    }
  }

  /** Deletes what is older than {@code retention}, and the oldest beyond {@link #ROWS}. */
  static void tidy(Connection connection, Instant now, Duration retention) throws SQLException {
    String oldest = text(now.minus(retention));
    delete(connection, "delete from losses where at < ?", oldest);
    delete(connection, "delete from losers where at < ?", oldest);
    delete(connection, "delete from not_compared where until < ?", oldest);
    delete(connection, "delete from reconciled where hour_timestamp < ?", oldest);
    trim(connection, "losses", "loss_id");
    trim(connection, "losers", "loser_id");
    trim(connection, "not_compared", "span_id");
  }

  private static void delete(Connection connection, String sql, String oldest) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, oldest);
      statement.executeUpdate();
    }
  }

  private static void trim(Connection connection, String table, String key) throws SQLException {
    String sql =
        "delete from %1$s where %2$s <= (select max(%2$s) from %1$s) - ?".formatted(table, key);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, ROWS);
      statement.executeUpdate();
    }
  }

  private static String text(Instant moment) {
    return EnvelopeCodec.timestamp(moment);
  }
}
