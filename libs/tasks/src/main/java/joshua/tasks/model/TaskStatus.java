package joshua.tasks.model;

/** How a task stands (wire contract §4). The last two are final. */
public enum TaskStatus {
  PENDING,
  RUNNING,
  /** Running, and text has come in the last seconds. */
  STREAMING,
  COMPLETED,
  FAILED;

  public boolean isFinal() {
    return this == COMPLETED || this == FAILED;
  }
}
