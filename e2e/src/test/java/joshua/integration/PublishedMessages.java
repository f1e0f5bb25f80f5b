package joshua.integration;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;

/** Messages of {@code ann}, beside what Rogers' database says of them. Used by one thread. */
public final class PublishedMessages {
  private static final String CHANNEL = "mad.topic.x";
  private static final String MESSAGE = RawEnvelope.on(CHANNEL).from("ann").json();

  private final Path database;
  private final List<Sent> sent = new ArrayList<>();

  /** When a message was published: somewhere between these. */
  private record Sent(Instant after, Instant before) {}

  public PublishedMessages(Path database) {
    this.database = database;
  }

  public void publish(RawRedis raw, int messages) {
    for (int i = 0; i < messages; i++) {
      Instant after = Instant.now();
      raw.publish(CHANNEL, MESSAGE);
      sent.add(new Sent(after, Instant.now()));
    }
  }

  public int published() {
    return sent.size();
  }

  public long counted() {
    return number("select coalesce(sum(messages), 0) from traffic where sender_id = 'ann'");
  }

  /** All but what was published while Rogers says that it wasn't watching. */
  public long mustBeCounted() throws SQLException {
    List<long[]> spans = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select since_at, coalesce(until_at, 9223372036854775807) from not_seen")) {
      while (rows.next()) {
        spans.add(new long[] {rows.getLong(1), rows.getLong(2)});
      }
    }
    return sent.stream()
        .filter(each ->
            spans.stream()
                .noneMatch(span ->
                    span[0] <= each.before().toEpochMilli()
                        && span[1] >= each.after().toEpochMilli()))
        .count();
  }

  public long number(String sql) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }
}
