package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.integration.FrameClient;
import joshua.integration.SharedRedis;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fiedler is killed at random moments: what it accepted ends, once, and nothing is on the bus that
 * isn't in its database (statements 5, 7 and 9).
 */
class KilledFiedlerTest {
  private static final int KILLS = Integer.getInteger("joshua.kills", 5);
  private static final int LONGEST_LIFE_MS = 700;
  private static final int WORDS = 5;
  private static final int PAUSE_MS = 10;
  private static final String FOR_ALL_MODELS = "Well? ";
  private static final List<String> PROMPTS =
      List.of(
          "help",
          "tasks limit=50",
          "Write a poem.",
          "stats by=requester",
          "queue",
          "Count the tasks and tell me more.",
          FOR_ALL_MODELS);

  private final long seed = Long.getLong("joshua.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<String>> notifications = new ConcurrentHashMap<>();
  private final Map<String, Set<JsonNode>> frames = new ConcurrentHashMap<>();
  private int next;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void everyAcceptedTaskEndsOnce(@TempDir Path directory) throws Exception {
    System.out.println("seed " + seed);
    int port = FreePort.next();
    try (RedisServer redis = SharedRedis.another();
        ModelServer model = new ModelServer().otherwise(this::think);
        RawRedis observer = redis.connect()) {
      Map<String, String> settings = Program.settings(directory, redis.url(), redis.password());
      settings.put("JOSHUA_FIEDLER_PORT", Integer.toString(port));
      settings.put("JOSHUA_MODEL_PROVIDER", "openai");
      settings.put("JOSHUA_MODEL_NAME", "m,n");
      settings.put("JOSHUA_MODEL_BASE_URL", ModelDialect.OPENAI.url(model));
      observer.call("PSUBSCRIBE", "mad.*");
      Thread.ofVirtual().start(() -> observe(observer));
      try (Program program = new Program(directory, settings)) {
        for (int i = 0; i < KILLS; i++) {
          Run run = program.start("up", "fiedler");
          run.awaitSaid("Joshua");
          int before = accepted.size();
          Thread client = Thread.ofVirtual().start(() -> ask(port));
          if (i % 2 == 0) { // in the other lives it may be killed before it accepts anything
            Await.until("something is accepted", () -> accepted.size() > before);
          }
          run.killAfter(random.nextInt(LONGEST_LIFE_MS));
          client.interrupt();
          client.join();
        }
        Run last = program.start("up", "fiedler");
        last.awaitSaid("Joshua");
        assertThat(accepted).as("seed " + seed).isNotEmpty();
        for (String id : accepted) {
          awaitEnd(port, id);
        }
        Await.until(
            "all is told, seed " + seed,
            () -> stored(directory, "select task_id from work").isEmpty());
        Await.until("all notices are heard", () -> notifications.keySet().containsAll(accepted));
        verify(directory);
        System.out.printf(
            "%d kills, %d tasks, %d requests to models%n",
            KILLS, accepted.size(), model.seen().size());
      }
    }
  }

  /** Looks something up where it is asked to count, and writes a few words, one by one. */
  private void think(ModelServer.Exchange exchange) throws Exception {
    ModelDialect dialect = ModelDialect.OPENAI;
    if (exchange.body().contains("Count the tasks")
        && !exchange.body().contains("\"role\" : \"tool\"")) {
      dialect
          .parts("tool_calls", dialect.text("Let's see."), dialect.tool("tasks", "{}"))
          .on(exchange);
      return;
    }
    exchange.open(dialect.contentType());
    exchange.chunk(dialect.begin());
    for (int word = 0; word < WORDS; word++) {
      exchange.chunk(dialect.text("word%d ".formatted(word)));
      new CountDownLatch(1).await(PAUSE_MS, TimeUnit.MILLISECONDS);
    }
    exchange.chunk(dialect.end("stop"));
    exchange.end();
  }

  /** Asks one thing after the other until the service is gone. */
  private void ask(int port) {
    try (FrameClient client = new FrameClient(port)) {
      while (true) {
        String prompt = PROMPTS.get(next++ % PROMPTS.size());
        Object[] all = {"prompt", prompt + next, "requester_id", "ann"};
        Object[] one = {"prompt", prompt, "requester_id", "ann", "idempotency_key", "k" + next};
        JsonNode answer =
            prompt.equals(FOR_ALL_MODELS)
                ? client.call("fiedler_send", FrameClient.input(all))
                : client.call("fiedler_converse", FrameClient.input(one));
        accepted.add(answer.path("task_id").asText());
      }
    } catch (AssertionError | RuntimeException e) {
      // It was killed.
    }
  }

  private static void awaitEnd(int port, String id) {
    try (FrameClient client = new FrameClient(port)) {
      Await.until(
          "task " + id + " ends",
          () -> {
            JsonNode task =
                client.call("fiedler_get_task_status", FrameClient.input("task_id", id));
            return Set.of("COMPLETED", "FAILED").contains(task.path("status").asText());
          });
    }
  }

  /** What the database answers, a text a row. */
  private static Set<String> stored(Path directory, String sql) throws Exception {
    Set<String> stored = new HashSet<>();
    String url = "jdbc:sqlite:" + directory.resolve("data/fiedler/fiedler_state.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        stored.add(rows.getString(1));
      }
    }
    return stored;
  }

  private void observe(RawRedis observer) {
    try {
      while (true) {
        String message = observer.read();
        JsonNode envelope =
            Json.parse(message.substring(message.indexOf('{'), message.lastIndexOf('}') + 1));
        JsonNode payload = envelope.path("payload");
        String task = payload.path("task_id").asText();
        if (payload.has("notification_type")) {
          notifications
              .computeIfAbsent(task, key -> ConcurrentHashMap.newKeySet())
              .add(envelope.path("message_id").asText());
        } else if (payload.has("token")) {
          frames.computeIfAbsent(task, key -> ConcurrentHashMap.newKeySet()).add(payload);
        }
      }
    } catch (RuntimeException | Json.MalformedJsonException e) {
      // The test is over.
    }
  }

  private void verify(Path directory) throws Exception {
    String holes = "select 1 from frame group by task_id, attempt having max(sequence) >= count(*)";
    assertThat(stored(directory, holes)).as("streams with a hole").isEmpty();
    String texts =
        "select format('%s %d %d %s %d', task_id, attempt, sequence, token, last) from frame";
    Set<String> stored = stored(directory, texts);
    assertThat(notifications).allSatisfy((task, ids) -> assertThat(ids).hasSize(1));
    // Frames of earlier attempts are void, and gone from the database.
    Map<String, Integer> newest = new HashMap<>();
    frames.forEach(
        (task, all) -> all.forEach(frame -> newest.merge(task, attempt(frame), Math::max)));
    frames.forEach((task, told) ->
        assertThat(told.stream().filter(frame -> attempt(frame) == newest.get(task)))
            .as("task %s, seed %d", task, seed)
            .allSatisfy(frame -> assertThat(stored).contains(text(task, frame))));
  }

  /** A frame as the query above has it. */
  private static String text(String task, JsonNode frame) {
    int sequence = frame.path("sequence").asInt();
    String token = frame.path("token").asText();
    int last = frame.path("final").asBoolean() ? 1 : 0;
    return "%s %d %d %s %d".formatted(task, attempt(frame), sequence, token, last);
  }

  private static int attempt(JsonNode frame) {
    return frame.path("attempt").asInt(1);
  }
}
