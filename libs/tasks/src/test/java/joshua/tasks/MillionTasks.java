package joshua.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.state.Database;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.TaskSchema;
import joshua.testing.RealRedis;
import joshua.testing.TempDirectory;

/**
 * A benchmark of converse, status and list with a million ended tasks, and of the start with them.
 * How to run it is described in docs/protocol/tasks.md. Fails when p99 is 10 ms or more, or the
 * start takes 3 s.
 */
final class MillionTasks {
  private static final int CALLS = 2_000;
  private static final double MOST_MILLIS = 10;
  private static final double MOST_START_MILLIS = 3_000;

  private MillionTasks() {}

  /** Arguments: the number of tasks, if not a million; a file that keeps them for the next run. */
  public static void main(String[] arguments) throws Exception {
    int tasks = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
    boolean good = true;
    try (TempDirectory directory = TempDirectory.create("million");
        RealRedis redis = RealRedis.start()) {
      Path file =
          arguments.length > 1
              ? Path.of(arguments[1])
              : directory.path().resolve("fiedler_state.db");
      long began = System.nanoTime();
      if (!Files.exists(file)) {
        fill(file, tasks);
        System.out.printf(
            "%d tasks written in %.1f s, %.0f MB%n",
            tasks, millisSince(began) / 1_000, file.toFile().length() / 1e6);
      }
      // Loading that happens once per process isn't part of the measurement.
      try (TaskFixture warm =
          TaskFixture.on(
              redis,
              directory.path().resolve("warm.db"),
              InstantSource.system(),
              (task, tokenSink) -> TaskFixture.said("ok"))) {
        warm.awaitEnd(warm.converse("warm up"));
      }
      began = System.nanoTime();
      try (TaskFixture fixture =
          TaskFixture.on(
              redis, file, InstantSource.system(), (task, tokenSink) -> TaskFixture.said("ok"))) {
        double start = millisSince(began);
        System.out.printf("start: %.0f ms%n", start);
        good = start < MOST_START_MILLIS;
        good &= measureAll(fixture);
      }
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean measureAll(TaskFixture fixture) throws Exception {
    boolean good = true;
    UUID known = fixture.converse("warm up");
    for (int round = 0; round < 2; round++) {
      boolean counts = round == 1;
      good &=
          measure(fixture, counts, "converse", "converse", "{'prompt':'x','requester_id':'r7'}");
      good &=
          measure(
              fixture, counts, "status", "get_task_status", "{'task_id':'%s'}".formatted(known));
      good &= measure(fixture, counts, "list", "list_tasks", "{}");
      good &=
          measure(fixture, counts, "list of a requester", "list_tasks", "{'requester_id':'r7'}");
      good &= measure(fixture, counts, "list of a state", "list_tasks", "{'status':'FAILED'}");
      good &=
          measure(
              fixture,
              counts,
              "list of none",
              "list_tasks",
              "{'status':'RUNNING','requester_id':'r1'}");
    }
    return good;
  }

  private static void fill(Path file, int tasks) throws Exception {
    io.micrometer.core.instrument.simple.SimpleMeterRegistry meters =
        new io.micrometer.core.instrument.simple.SimpleMeterRegistry();
    try (Database database = Database.open(file, TaskSchema.alone(), meters)) {
      Instant now = Instant.now();
      int together = 10_000;
      database.write(
          connection -> SqlStatements.change(connection, "drop trigger tasks_begin_as_pending"));
      for (int from = 0; from < tasks; from += together) {
        int first = from;
        database.write(connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  """
                  insert into tasks (task_id, status, requester_id, prompt, result_payload,
                    error_details, created_at, updated_at, kind, input, conversation_id,
                    correlation_id, input_digest, attempt)
                  values (?, ?, ?, ?, ?, ?, ?, ?, 'converse', '{}', ?, ?, '', 1)
                  """)) {
            for (int i = first; i < Math.min(first + together, tasks); i++) {
              Instant at = now.minusMillis(20L * 24 * 3_600_000).plusMillis(i);
              String id = BusIdentifiers.uuid7(() -> at).toString();
              String text = "An answer of some length about the matter at hand. ".repeat(6);
              boolean failed = i % 50 == 0;
              String when = joshua.conversation.EnvelopeCodec.timestamp(at);
              insert.setString(1, id);
              insert.setString(2, failed ? "FAILED" : "COMPLETED");
              insert.setString(3, "r" + i % 100);
              insert.setString(4, "What is the state of things, and what has to be done? " + i);
              insert.setString(5, failed ? null : "{\"text\":\"" + text + "\"}");
              insert.setString(6, failed ? "{\"message\":\"no\",\"stack_trace\":\"\"}" : null);
              insert.setString(7, when);
              insert.setString(8, when);
              insert.setString(9, id);
              insert.setString(10, id);
              insert.addBatch();
            }
            return insert.executeBatch().length;
          }
        });
      }
    }
  }

  private static boolean measure(
      TaskFixture fixture, boolean counts, String name, String tool, String input)
      throws Exception {
    double[] millis = new double[CALLS];
    for (int i = 0; i < CALLS; i++) {
      long began = System.nanoTime();
      JsonNode answer = fixture.call(tool, input);
      millis[i] = millisSince(began);
      if (answer.path("status").asText().equals("error")) {
        if (!answer.path("code").asText().equals("overloaded")) {
          throw new AssertionError(name + ": " + answer);
        }
        fixture.awaitAllTold();
      }
    }
    if (!counts) {
      return true;
    }
    Arrays.sort(millis);
    double p99 = millis[CALLS * 99 / 100];
    System.out.printf(
        "%s: p50 %.2f ms, p99 %.2f ms, most %.2f ms%n",
        name, millis[CALLS / 2], p99, millis[CALLS - 1]);
    return p99 < MOST_MILLIS;
  }

  private static double millisSince(long began) {
    return (System.nanoTime() - began) / 1e6;
  }
}
