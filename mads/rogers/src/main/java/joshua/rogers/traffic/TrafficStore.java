package joshua.rogers.traffic;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.rogers.tap.FlushItem;
import joshua.rogers.tap.HourlyCounts;
import joshua.rogers.tap.UnwatchedSpan;

/** The counts and the unseen spans in Rogers' database. */
public final class TrafficStore {
  private static final String ADD_MESSAGES =
      """
      insert into hourly_metrics (hour_timestamp, sender_id, topic_pattern, message_count)
      values (?, ?, ?, ?)
      on conflict do update set message_count = message_count + excluded.message_count
      """;

  private static final String ADD_BYTES =
      """
      insert into hourly_bytes (hour_timestamp, sender_id, topic_pattern, byte_count)
      values (?, ?, ?, ?)
      on conflict do update set byte_count = byte_count + excluded.byte_count
      """;

  private static final String ADD_CHANNEL =
      """
      insert into hourly_channels (hour_timestamp, channel, message_count, byte_count)
      values (?, ?, ?, ?)
      on conflict do update set
        message_count = message_count + excluded.message_count,
        byte_count = byte_count + excluded.byte_count
      """;

  private static final String SET_WATERMARK =
      """
      insert into watermark (id, seen_until, messages) values (1, ?, ?)
      on conflict do update set
        seen_until = excluded.seen_until,
        messages = messages + excluded.messages
      """;

  private static final String END_UNSEEN =
      "update not_seen set until = ?, since = min(since, ?) where until is null";

  private static final String ADD_UNSEEN =
      "insert into not_seen (since, until, reason, missed) values (?, ?, ?, ?)";

  private TrafficStore() {}

  /** Where the previous Rogers stopped; empty if there was none. */
  public static Optional<Instant> seenUntil(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("select seen_until from watermark");
        ResultSet rows = query.executeQuery()) {
      return rows.next() ? Optional.of(Instant.parse(rows.getString(1))) : Optional.empty();
    }
  }

  /** Writes all items, in order, in the caller's transaction. */
  public static void write(Connection connection, List<FlushItem> notes) throws SQLException {
    for (FlushItem flushItem : notes) {
      switch (flushItem) {
        case HourlyCounts hourlyCounts -> add(connection, hourlyCounts);
        case UnwatchedSpan span -> add(connection, span);
      }
    }
  }

  private static void add(Connection connection, HourlyCounts hourlyCounts) throws SQLException {
    String hour = EnvelopeCodec.timestamp(hourlyCounts.hour());
    try (PreparedStatement messages = connection.prepareStatement(ADD_MESSAGES);
        PreparedStatement bytes = connection.prepareStatement(ADD_BYTES)) {
      for (HourlyCounts.Sent sent : hourlyCounts.sent()) {
        add(messages, hour, sent, sent.messages());
        add(bytes, hour, sent, sent.bytes());
      }
    }
    try (PreparedStatement channels = connection.prepareStatement(ADD_CHANNEL)) {
      for (HourlyCounts.Published published : hourlyCounts.published()) {
        channels.setString(1, hour);
        channels.setString(2, published.channel());
        channels.setLong(3, published.messages());
        channels.setLong(4, published.bytes());
        channels.executeUpdate();
      }
    }
    try (PreparedStatement watermark = connection.prepareStatement(SET_WATERMARK)) {
      watermark.setString(1, EnvelopeCodec.timestamp(hourlyCounts.seenUntil()));
      watermark.setLong(2, hourlyCounts.messages());
      watermark.executeUpdate();
    }
  }

  private static void add(
      PreparedStatement statement, String hour, HourlyCounts.Sent sent, long number)
      throws SQLException {
    statement.setString(1, hour);
    statement.setString(2, sent.sender());
    statement.setString(3, sent.kind().pattern());
    statement.setLong(4, number);
    statement.executeUpdate();
  }

  private static void add(Connection connection, UnwatchedSpan span) throws SQLException {
    boolean ended = endsWhatLasts(span) && end(connection, span) > 0;
    if (ended && span.reason().equals(UnwatchedSpan.BUS_AWAY)) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(ADD_UNSEEN)) {
      statement.setString(1, EnvelopeCodec.timestamp(span.since()));
      statement.setString(2, span.until().map(TrafficStore::roundedUp).orElse(null));
      statement.setString(3, span.reason());
      if (span.missed().isPresent()) {
        statement.setLong(4, span.missed().getAsLong());
      } else {
        statement.setNull(4, Types.BIGINT);
      }
      statement.executeUpdate();
    }
  }

  /** Rounds up, so that a span that ends within a millisecond includes all of it. */
  private static String roundedUp(Instant until) {
    Instant cut = until.truncatedTo(ChronoUnit.MILLIS);
    return EnvelopeCodec.timestamp(cut.equals(until) ? cut : cut.plusMillis(1));
  }

  private static boolean endsWhatLasts(UnwatchedSpan span) {
    return span.until().isPresent() && !span.reason().equals(UnwatchedSpan.NOT_WRITTEN);
  }

  private static int end(Connection connection, UnwatchedSpan span) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END_UNSEEN)) {
      statement.setString(1, span.until().map(TrafficStore::roundedUp).orElseThrow());
      statement.setString(2, EnvelopeCodec.timestamp(span.since()));
      return statement.executeUpdate();
    }
  }
}
