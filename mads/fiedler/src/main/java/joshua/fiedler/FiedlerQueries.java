package joshua.fiedler;

import java.util.List;
import joshua.tasks.query.QueryArguments;
import joshua.tasks.query.TaskQuerySpecs;
import joshua.thought.QuerySpec;

/** The whitelist of Fiedler's queries (REQ-FD-10): those about itself, and those about tasks. */
final class FiedlerQueries {
  static final QuerySpec QUEUE =
      about(
          "queue",
          "How busy Fiedler is: how many tasks wait and run, the limits, the longest wait.",
          List.of(),
          List.of("waiting", "running", "may_wait", "may_run_at_once", "oldest_waits_since"));
  static final QuerySpec MODELS =
      about(
          "models",
          "Which language models are configured.",
          List.of(),
          List.of("model", "provider", "answers_converse"));
  static final QuerySpec SERVICE =
      about(
          "service",
          "Fiedler itself: version, up since when, tasks recovered after the last start.",
          List.of(),
          List.of("version", "up_since", "recovered_tasks", "model_provider"));

  /** Queries that are answered from the table of tasks. */
  static final List<QuerySpec> OF_TASKS =
      List.of(
          TaskQuerySpecs.TASKS,
          TaskQuerySpecs.COUNT_TASKS,
          TaskQuerySpecs.TASK,
          TaskQuerySpecs.TASK_RESULT,
          TaskQuerySpecs.FAILURES,
          TaskQuerySpecs.FAILURE_REASONS,
          TaskQuerySpecs.RUNNING,
          TaskQuerySpecs.REQUESTERS,
          TaskQuerySpecs.DURATIONS,
          TaskQuerySpecs.SLOWEST,
          TaskQuerySpecs.USAGE,
          TaskQuerySpecs.ACTIVITY);

  /** All of them. */
  static final List<QuerySpec> ALL =
      List.of(
          TaskQuerySpecs.TASKS,
          TaskQuerySpecs.COUNT_TASKS,
          TaskQuerySpecs.TASK,
          TaskQuerySpecs.TASK_RESULT,
          TaskQuerySpecs.FAILURES,
          TaskQuerySpecs.FAILURE_REASONS,
          TaskQuerySpecs.RUNNING,
          QUEUE,
          TaskQuerySpecs.REQUESTERS,
          TaskQuerySpecs.DURATIONS,
          TaskQuerySpecs.SLOWEST,
          MODELS,
          TaskQuerySpecs.USAGE,
          TaskQuerySpecs.ACTIVITY,
          SERVICE);

  private FiedlerQueries() {}

  private static QuerySpec about(
      String name, String meaning, List<String> arguments, List<String> columns) {
    return QueryArguments.OF_TASKS.spec(name, meaning, arguments, columns);
  }
}
