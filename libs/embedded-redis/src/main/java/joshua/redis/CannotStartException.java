package joshua.redis;

import org.jspecify.annotations.Nullable;

/**
 * The reason for which the embedded Redis doesn't run, as a sentence for a person that ends with
 * what to do.
 */
public final class CannotStartException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotStartException(String sentence) {
    this(sentence, null);
  }

  CannotStartException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
