package joshua.tasks.query;

import java.util.List;
import joshua.thought.QuerySpec;

/**
 * The specifications of the task queries (REQ-FD-10): their names, meanings and arguments. {@link
 * TaskQueries} answers them.
 */
public final class TaskQuerySpecs {
  public static final QuerySpec TASKS =
      spec(
          "tasks",
          "Which tasks there are, newest first, each with its status, requester and times.",
          List.of("requester", "status", "kind", "since", "until", "limit"),
          List.of("task_id", "status", "requester", "created_at", "updated_at", "prompt"));
  public static final QuerySpec COUNT_TASKS =
      spec(
          "count_tasks",
          "How many tasks there are.",
          List.of("requester", "status", "kind", "since", "until"),
          List.of("tasks"));
  public static final QuerySpec TASK =
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
  public static final QuerySpec TASK_RESULT =
      spec(
          "task_result",
          "The text that a task produced; without an id, of the newest completed task.",
          List.of("task_id", "requester"),
          List.of("task_id", "requester", "finished_at", "text"));
  public static final QuerySpec FAILURES =
      spec(
          "failures",
          "Why tasks failed: each failed task with its error message, newest first.",
          List.of("task_id", "requester", "since", "until", "limit"),
          List.of("task_id", "requester", "finished_at", "error"));
  public static final QuerySpec FAILURE_REASONS =
      spec(
          "failure_reasons",
          "What goes wrong most: the causes of failures, which are the first sentences of their"
              + " messages, with how often each occurred.",
          List.of("requester", "since", "until"),
          List.of("tasks", "last_at", "error"));
  public static final QuerySpec RUNNING =
      spec(
          "running",
          "What is being worked on now and for how long already, longest first.",
          List.of("requester"),
          List.of("task_id", "status", "requester", "started_at", "seconds", "prompt"));
  public static final QuerySpec REQUESTERS =
      spec(
          "requesters",
          "Who asks most: tasks per requester, most first.",
          List.of("status", "since", "until"),
          List.of("requester", "tasks", "failed", "last_at"));
  public static final QuerySpec DURATIONS =
      spec(
          "durations",
          "How long finished tasks took: average, median, 95th percentile, longest, in seconds.",
          List.of("requester", "since", "until"),
          List.of("tasks", "average_s", "median_s", "p95_s", "longest_s"));
  public static final QuerySpec SLOWEST =
      spec(
          "slowest",
          "The finished tasks that took longest.",
          List.of("requester", "since", "until", "limit"),
          List.of("task_id", "status", "requester", "seconds", "started_at", "prompt"));
  public static final QuerySpec USAGE =
      spec(
          "usage",
          "Language model tokens used, per model and requester.",
          List.of("requester", "since", "until"),
          List.of("model", "requester", "answers", "tokens_in", "tokens_out"));
  public static final QuerySpec ACTIVITY =
      spec(
          "activity",
          "Tasks per hour, in UTC.",
          List.of("requester", "since", "until"),
          List.of("hour", "tasks", "failed"));

  private TaskQuerySpecs() {}

  private static QuerySpec spec(
      String name, String meaning, List<String> arguments, List<String> columns) {
    return QueryArguments.OF_TASKS.spec(name, meaning, arguments, columns);
  }
}
