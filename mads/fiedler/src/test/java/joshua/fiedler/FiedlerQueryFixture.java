package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.state.Database;
import joshua.tasks.TasksConfig;
import joshua.tasks.query.TaskQueries;
import joshua.testing.TempDirectory;
import joshua.thought.LanguageModels;
import joshua.thought.Query;
import joshua.thought.QueryWhitelist;
import joshua.thought.SystemPrompt;
import joshua.thought.UserPrompt;

/** Fiedler's whitelist on a real database with a handful of tasks, at a fixed time. */
final class FiedlerQueryFixture implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");

  private final TempDirectory directory = TempDirectory.create("fiedler");
  private final Database database;
  private final QueryWhitelist queryWhitelist;
  private final List<Query> whitelist = new ArrayList<>();
  private int tasks;

  FiedlerQueryFixture() throws Exception {
    database =
        Database.open(
            directory.path().resolve("fiedler_state.db"),
            Fiedler.migrations(),
            new SimpleMeterRegistry());
    TasksConfig limits =
        new TasksConfig(
            16,
            10_000,
            Duration.ofHours(1),
            2,
            Duration.ofDays(30),
            1L << 30,
            1 << 20,
            1 << 20,
            List.of());
    FiedlerConfig config =
        new FiedlerConfig(
            limits, SystemPrompt.of(Fiedler.class), "test", NOW.minus(Duration.ofHours(3)));
    whitelist.addAll(TaskQueries.on(database, () -> NOW, FiedlerQueries.OF_TASKS));
    whitelist.addAll(ServiceQueries.of(config, LanguageModels.none(), database));
    queryWhitelist = new QueryWhitelist(whitelist, schema -> new JsonSchema(schema)::problem);
  }

  List<Query> whitelist() {
    return whitelist;
  }

  Database database() {
    return database;
  }

  /**
   * Adds a task; times are ages relative to now; null: not yet.
   *
   * @param said its text or error; or its whole result, as JSON
   */
  String task(
      String requester, String status, Duration asked, Duration begun, Duration ended, String said)
      throws Exception {
    String id = "0193f0a2-7c1e-7000-8000-%012d".formatted(++tasks);
    String creation = EnvelopeCodec.timestamp(NOW.minus(asked));
    change(
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, input_digest)
        values (?, 'PENDING', ?, ?, ?, ?, 'converse', '{}', ?, ?, '')
        """,
        id,
        requester,
        "prompt of " + id,
        creation,
        creation,
        UUID.randomUUID().toString(),
        UUID.randomUUID().toString());
    if (!status.equals("PENDING")) {
      change(
          "update tasks set status = 'RUNNING', attempt = 1, started_at = ? where task_id = ?",
          EnvelopeCodec.timestamp(NOW.minus(begun)),
          id);
    }
    if (status.equals("COMPLETED")) {
      change(
          "update tasks set status = ?, updated_at = ?, result_payload = ? where task_id = ?",
          status,
          EnvelopeCodec.timestamp(NOW.minus(ended)),
          Json.write(said.startsWith("{") ? Json.object(said) : result(said)),
          id);
    }
    if (status.equals("FAILED")) {
      change(
          "update tasks set status = ?, updated_at = ?, error_details = ? where task_id = ?",
          status,
          EnvelopeCodec.timestamp(NOW.minus(ended)),
          Json.write(Json.object().put("message", said).put("stack_trace", "")),
          id);
    }
    return id;
  }

  /** Adds a task that DTR or LPPM answers: a question, not work. */
  String question(
      String requester, String status, Duration asked, Duration begun, Duration ended, String said)
      throws Exception {
    String id = task(requester, status, asked, begun, ended, said);
    change("update tasks set question = 1 where task_id = ?", id);
    return id;
  }

  private static ObjectNode result(String text) {
    ObjectNode result = Json.object().put("text", text).put("model", "gpt-test");
    result.putObject("usage").put("tokens_in", 7).put("tokens_out", 11);
    return result;
  }

  private void change(String sql, String... values) throws Exception {
    database.write(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setString(i + 1, values[i]);
        }
        return statement.executeUpdate();
      }
    });
  }

  /** The rows of a query; {@code arguments} is JSON with single quotes. */
  ArrayNode rows(String query, String arguments) throws Exception {
    UserPrompt userPrompt = new UserPrompt("?", "alice", UUID.randomUUID(), UUID.randomUUID());
    QueryWhitelist.Outcome outcome =
        queryWhitelist.run(query, Json.parse(arguments.replace('\'', '"')), userPrompt);
    if (outcome instanceof QueryWhitelist.Outcome.Found found) {
      return found.evidence().rows();
    }
    throw new AssertionError(query + ": " + outcome);
  }

  @Override
  public void close() {
    database.close();
    directory.close();
  }
}
