package joshua.tasks.model;

import static java.util.Map.entry;

import java.util.Map;

/** The state of a task in its life cycle (wire contract §4). */
public enum TaskState {
  PENDING,
  RUNNING,
  STREAMING,
  COMPLETED,
  FAILED;

  /** One event in one state. */
  record Step(TaskState from, TaskEvent event) {}

  /** Thrown for a transition that doesn't exist. */
  public static final class IllegalTaskTransitionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    IllegalTaskTransitionException(Step step) {
      super("a task that is %s does not %s".formatted(step.from(), step.event()));
    }
  }

  private static final Map<Step, TaskState> STEPS =
      Map.ofEntries(
          entry(new Step(PENDING, TaskEvent.START), RUNNING),
          entry(new Step(RUNNING, TaskEvent.SPEAK), STREAMING),
          entry(new Step(STREAMING, TaskEvent.REST), RUNNING),
          entry(new Step(RUNNING, TaskEvent.RETRY), RUNNING),
          entry(new Step(STREAMING, TaskEvent.RETRY), RUNNING),
          entry(new Step(RUNNING, TaskEvent.COMPLETE), COMPLETED),
          entry(new Step(STREAMING, TaskEvent.COMPLETE), COMPLETED),
          entry(new Step(RUNNING, TaskEvent.FAIL), FAILED),
          entry(new Step(STREAMING, TaskEvent.FAIL), FAILED));

  /**
   * The state after {@code event}.
   *
   * @throws IllegalTaskTransitionException when the event can't happen in this state
   */
  public TaskState after(TaskEvent event) {
    Step step = new Step(this, event);
    TaskState next = STEPS.get(step);
    if (next == null) {
      throw new IllegalTaskTransitionException(step);
    }
    return next;
  }

  /** Every allowed transition and its target. */
  static Map<Step, TaskState> steps() {
    return STEPS;
  }

  /** Whether the task has ended. */
  public boolean isFinal() {
    return this == COMPLETED || this == FAILED;
  }
}
