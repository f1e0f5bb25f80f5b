package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/**
 * Fiedler's whitelist as it reads (REQ-FD-10): the names, meanings and arguments of the queries.
 */
final class QuerySpecs {
  static final int MAX_LIMIT = 200;

  private static final Map<String, String> ARGUMENTS =
      Map.of(
          "requester",
          "{\"type\":\"string\",\"pattern\":\"%s\",\"description\":\"whose tasks\"}"
              .formatted(Ids.IDENTIFIER_PATTERN),
          "status",
          "{\"enum\":[\"PENDING\",\"RUNNING\",\"STREAMING\",\"COMPLETED\",\"FAILED\",\"unfinished\"]}",
          "since",
          "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"Z$\"}",
          "until",
          "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"Z$\"}",
          "limit",
          "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d}".formatted(MAX_LIMIT),
          "task_id",
          "{\"type\":\"string\",\"pattern\":\"^[0-9a-f-]{8,36}$\",\"description\":\"whole, or its beginning\"}");

  static final QuerySpec TASKS =
      spec(
          "tasks",
          "Which tasks there are, newest first, each with its status, requester and times.",
          List.of("requester", "status", "since", "until", "limit"),
          List.of("task_id", "status", "requester", "created_at", "updated_at", "prompt"));
  static final QuerySpec COUNT_TASKS =
      spec(
          "count_tasks",
          "How many tasks there are.",
          List.of("requester", "status", "since", "until"),
          List.of("tasks"));
  static final QuerySpec TASK =
      spec(
          "task",
          "The status of one task: where it stands, when it began and ended, which attempt.",
          List.of("task_id"),
          List.of(
              "task_id",
              "status",
              "requester",
              "attempt",
              "created_at",
              "started_at",
              "finished_at",
              "error",
              "prompt"));
  static final QuerySpec TASK_RESULT =
      spec(
          "task_result",
          "The text that a task produced; without an id, of the newest completed task.",
          List.of("task_id", "requester"),
          List.of("task_id", "requester", "finished_at", "text"));
  static final QuerySpec FAILURES =
      spec(
          "failures",
          "Why tasks failed: each failed task with its error message, newest first.",
          List.of("task_id", "requester", "since", "until", "limit"),
          List.of("task_id", "requester", "finished_at", "error"));
  static final QuerySpec FAILURE_REASONS =
      spec(
          "failure_reasons",
          "What goes wrong most: error messages with how often each occurred.",
          List.of("requester", "since", "until"),
          List.of("error", "tasks", "last_at"));
  static final QuerySpec RUNNING =
      spec(
          "running",
          "What is being worked on now and for how long already, longest first.",
          List.of("requester"),
          List.of("task_id", "status", "requester", "started_at", "seconds", "prompt"));
  static final QuerySpec QUEUE =
      spec(
          "queue",
          "How busy Fiedler is: how many tasks wait and run, the limits, the longest wait.",
          List.of(),
          List.of("waiting", "running", "may_wait", "may_run_at_once", "oldest_waits_since"));
  static final QuerySpec REQUESTERS =
      spec(
          "requesters",
          "Who asks most: tasks per requester, most first.",
          List.of("status", "since", "until"),
          List.of("requester", "tasks", "failed", "last_at"));
  static final QuerySpec DURATIONS =
      spec(
          "durations",
          "How long finished tasks took: average, median, 95th percentile, longest, in seconds.",
          List.of("requester", "since", "until"),
          List.of("tasks", "average_s", "median_s", "p95_s", "longest_s"));
  static final QuerySpec SLOWEST =
      spec(
          "slowest",
          "The finished tasks that took longest.",
          List.of("requester", "since", "until", "limit"),
          List.of("task_id", "status", "requester", "seconds", "started_at", "prompt"));
  static final QuerySpec MODELS =
      spec(
          "models",
          "Which language models are configured.",
          List.of(),
          List.of("model", "provider", "answers_converse"));
  static final QuerySpec USAGE =
      spec(
          "usage",
          "Language model tokens used, per model and requester.",
          List.of("requester", "since", "until"),
          List.of("model", "requester", "answers", "tokens_in", "tokens_out"));
  static final QuerySpec ACTIVITY =
      spec(
          "activity",
          "Tasks per hour, in UTC.",
          List.of("requester", "since", "until"),
          List.of("hour", "tasks", "failed"));
  static final QuerySpec SERVICE =
      spec(
          "service",
          "Fiedler itself: version, up since when, tasks recovered after the last start.",
          List.of(),
          List.of("version", "up_since", "recovered_tasks", "model_provider"));

  /** All of them. */
  static final List<QuerySpec> ALL =
      List.of(
          TASKS,
          COUNT_TASKS,
          TASK,
          TASK_RESULT,
          FAILURES,
          FAILURE_REASONS,
          RUNNING,
          QUEUE,
          REQUESTERS,
          DURATIONS,
          SLOWEST,
          MODELS,
          USAGE,
          ACTIVITY,
          SERVICE);

  private QuerySpecs() {}

  private static QuerySpec spec(
      String name, String meaning, List<String> arguments, List<String> columns) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    for (String argument : arguments) {
      properties.set(argument, Schemas.parsed(ARGUMENTS.getOrDefault(argument, "{}")));
    }
    return new QuerySpec(name, meaning, schema, columns);
  }
}
