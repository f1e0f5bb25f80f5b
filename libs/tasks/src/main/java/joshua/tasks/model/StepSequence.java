package joshua.tasks.model;

import java.util.ArrayList;
import java.util.List;

/** The state transitions that a running task makes together. */
public record StepSequence(TaskState from, List<TaskEvent> events) {
  public StepSequence {
    events = List.copyOf(events);
  }

  /**
   * The transitions that reflect new output.
   *
   * @param spoke whether text came
   * @param speaking whether more is expected at once
   */
  public static StepSequence of(TaskState from, boolean spoke, boolean speaking) {
    List<TaskEvent> events = new ArrayList<>();
    TaskState state = from;
    if (spoke && state == TaskState.RUNNING) {
      events.add(TaskEvent.SPEAK);
      state = TaskState.STREAMING;
    }
    if (!speaking && state == TaskState.STREAMING) {
      events.add(TaskEvent.REST);
    }
    return new StepSequence(from, events);
  }

  public TaskState to() {
    TaskState state = from;
    for (TaskEvent event : events) {
      state = state.after(event);
    }
    return state;
  }
}
