package joshua.tasks;

/** A result beyond what a task may have (+FD-13). */
final class TooMuch extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooMuch(String message) {
    super(message);
  }

  static TooMuch result(long limit) {
    return new TooMuch(
        "The result is larger than %d bytes, the most that it may have (JOSHUA_TASKS_RESULT_LIMIT). Ask for less."
            .formatted(limit));
  }
}
