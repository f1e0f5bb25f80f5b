package joshua.rogers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.rogers.journal.JournalConfig;
import joshua.rogers.query.BusQueries;
import joshua.rogers.query.ListenersQuery;
import joshua.rogers.query.RateQuery;
import joshua.rogers.query.RogersQueries;
import joshua.rogers.query.ServiceQuery;
import joshua.state.Database;
import joshua.tasks.query.TaskQueries;
import joshua.testing.TempDirectory;
import joshua.thought.Query;
import joshua.thought.QueryWhitelist;
import joshua.thought.UserPrompt;

/** Rogers' whitelist on a real database with the rows that a test writes, at a fixed time. */
public final class RogersQueryFixture implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");

  public static final JournalConfig JOURNAL =
      new JournalConfig(true, 1 << 20, Duration.ofHours(24));

  private final TempDirectory directory = TempDirectory.create("rogers");
  private final Database database;
  private final QueryWhitelist queryWhitelist;
  private final List<Query> whitelist = new ArrayList<>();

  public RogersQueryFixture() throws Exception {
    database =
        Database.open(
            directory.path().resolve("rogers_state.db"),
            Rogers.migrations(),
            new SimpleMeterRegistry());
    whitelist.addAll(BusQueries.on(database, () -> NOW));
    whitelist.add(new RateQuery(() -> 12.34, database, () -> NOW));
    whitelist.add(
        new ListenersQuery(
            channels -> channels.stream().map(each -> (long) each.name().length() % 2).toList(),
            () -> Set.of("mad.topic.*", "mad.topic.news")));
    whitelist.add(new ServiceQuery("test", NOW.minus(Duration.ofHours(3)), database, () -> NOW));
    whitelist.addAll(TaskQueries.on(database, () -> NOW, RogersQueries.OF_TASKS));
    queryWhitelist = new QueryWhitelist(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  public Database database() {
    return database;
  }

  public QueryWhitelist queries() {
    return queryWhitelist;
  }

  /** A time as the tables have it. */
  public static String at(String time) {
    return EnvelopeCodec.timestamp(Instant.parse("2026-11-18T" + time + "Z"));
  }

  /** Changes the tables. */
  public void change(String sql, Object... values) throws Exception {
    database.write(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        return statement.executeUpdate();
      }
    });
  }

  /** A row of a table, its columns in their order; times of day alone are today's. */
  public void row(String table, Object... values) throws Exception {
    Object[] stored = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      stored[i] =
          values[i] instanceof String text && text.matches("\\d\\d:\\d\\d:\\d\\d")
              ? at(text)
              : values[i];
    }
    change("insert into " + table + " values (" + "?, ".repeat(values.length - 1) + "?)", stored);
  }

  /** The rows of a query; {@code arguments} is JSON with single quotes. */
  public ArrayNode rows(String query, String arguments) throws Exception {
    return found(query, arguments).evidence().rows();
  }

  /** The rows of a query, with the sentences about them. */
  public QueryWhitelist.Outcome.Found found(String query, String arguments) throws Exception {
    UserPrompt userPrompt = new UserPrompt("?", "alice", UUID.randomUUID(), UUID.randomUUID());
    QueryWhitelist.Outcome outcome =
        queryWhitelist.run(query, Json.parse(arguments.replace('\'', '"')), userPrompt);
    if (outcome instanceof QueryWhitelist.Outcome.Found found) {
      return found;
    }
    throw new AssertionError(query + ": " + outcome);
  }

  @Override
  public void close() {
    database.close();
    directory.close();
  }
}
