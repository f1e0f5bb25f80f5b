package joshua.thought;

import java.util.Objects;

/** A secret; redacts itself from strings and exceptions. */
public final class Secret {
  private static final String MASK = "***";
  private static final int DEEPEST = 8;

  private final String text;

  public Secret(String text) {
    this.text = text;
  }

  /** An empty secret: nothing is redacted. */
  public static Secret none() {
    return new Secret("");
  }

  public boolean isPresent() {
    return !text.isEmpty();
  }

  /** The secret itself, for its recipient. */
  public String reveal() {
    return text;
  }

  /** A copy of the text without this secret. */
  public String mask(String other) {
    return text.isEmpty() ? other : other.replace(text, MASK);
  }

  /**
   * An exception with the same stack trace, whose messages, including its causes', lack this
   * secret.
   */
  public Exception mask(Throwable thrown) {
    return mask(thrown, DEEPEST);
  }

  private Exception mask(Throwable thrown, int deep) {
    Throwable cause = thrown.getCause();
    return new RedactedException(
        mask(String.valueOf(thrown)),
        cause == null || deep == 0 ? null : mask(cause, deep - 1),
        thrown.getStackTrace());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.text.equals(text);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(text);
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "" : MASK;
  }

  /** Replaces an exception whose message may contain the secret. */
  private static final class RedactedException extends Exception {
    private static final long serialVersionUID = 1L;

    RedactedException(
        String description,
        @org.jspecify.annotations.Nullable Exception cause,
        StackTraceElement[] stack) {
      super(description, cause);
      setStackTrace(stack);
    }
  }
}
