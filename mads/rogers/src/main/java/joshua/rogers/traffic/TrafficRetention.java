package joshua.rogers.traffic;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import joshua.conversation.EnvelopeCodec;
import joshua.rogers.tap.UnwatchedSpan;

/**
 * Deletes old counts: hours are deleted a portion at a time, and from then on count as unseen
 * rather than zero.
 */
final class TrafficRetention {
  /** The most rows that one transaction deletes. */
  static final int PORTION = 1_000;

  private static final List<String> DELETIONS =
      List.of(
          """
          delete from hourly_metrics where (hour_timestamp, sender_id, topic_pattern) in (
            select hour_timestamp, sender_id, topic_pattern from hourly_metrics
            where hour_timestamp < ? limit ?)
          """,
          """
          delete from hourly_bytes where (hour_timestamp, sender_id, topic_pattern) in (
            select hour_timestamp, sender_id, topic_pattern from hourly_bytes
            where hour_timestamp < ? limit ?)
          """,
          """
          delete from hourly_channels where (hour_timestamp, channel) in (
            select hour_timestamp, channel from hourly_channels
            where hour_timestamp < ? limit ?)
          """,
          """
          delete from not_seen where span_id in (
            select span_id from not_seen where until <= ? and reason <> 'older than what is kept'
            limit ?)
          """);

  private static final String NOT_KEPT =
      """
      insert into not_seen (span_id, since, until, reason) values (0, ?, ?, ?)
      on conflict do update set until = max(until, excluded.until)
      """;

  private TrafficRetention() {}

  /**
   * Deletes a portion of what lies before {@code start}, the beginning of an hour.
   *
   * @return how many rows; less than {@link #PORTION} when that was the rest
   */
  static int delete(Connection connection, Instant start) throws SQLException {
    String before = EnvelopeCodec.timestamp(start);
    int left = PORTION;
    for (String deletion : DELETIONS) {
      try (PreparedStatement statement = connection.prepareStatement(deletion)) {
        statement.setString(1, before);
        statement.setInt(2, left);
        left -= statement.executeUpdate();
      }
      if (left == 0) {
        break;
      }
    }
    if (left < PORTION) {
      notKept(connection, before);
    }
    return PORTION - left;
  }

  private static void notKept(Connection connection, String before) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOT_KEPT)) {
      statement.setString(1, EnvelopeCodec.timestamp(Instant.EPOCH));
      statement.setString(2, before);
      statement.setString(3, UnwatchedSpan.NOT_KEPT);
      statement.executeUpdate();
    }
  }
}
