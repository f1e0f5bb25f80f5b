package joshua.tasks;

import java.util.ArrayList;
import java.util.List;

/** The steps that a running task takes together. */
record Walk(TaskState from, List<TaskEvent> events) {
  Walk {
    events = List.copyOf(events);
  }

  /**
   * The steps that show what came.
   *
   * @param spoke whether text came
   * @param speaking whether more is expected at once
   */
  static Walk of(TaskState from, boolean spoke, boolean speaking) {
    List<TaskEvent> events = new ArrayList<>();
    TaskState state = from;
    if (spoke && state == TaskState.RUNNING) {
      events.add(TaskEvent.SPEAK);
      state = TaskState.STREAMING;
    }
    if (!speaking && state == TaskState.STREAMING) {
      events.add(TaskEvent.REST);
    }
    return new Walk(from, events);
  }

  TaskState to() {
    TaskState state = from;
    for (TaskEvent event : events) {
      state = state.after(event);
    }
    return state;
  }
}
