package joshua.tasks.model;

/** How a task stands (wire contract §4). The last two are final. */
public enum TaskStatus {
  PENDING,
  RUNNING,
  /** Running, and there is text of it. */
  STREAMING,
  COMPLETED,
  FAILED;

  public boolean isFinal() {
    return this == COMPLETED || this == FAILED;
  }
}
