package joshua.tasks.model;

/** Thrown when a result exceeds a task's limit (+FD-13). */
public final class LimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LimitExceededException(String message) {
    super(message);
  }

  public static LimitExceededException result(long limit) {
    return new LimitExceededException(
        "The result is larger than %d bytes, the most that it may have (JOSHUA_TASKS_RESULT_LIMIT). Ask for less."
            .formatted(limit));
  }
}
