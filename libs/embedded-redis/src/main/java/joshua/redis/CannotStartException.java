package joshua.redis;

import org.jspecify.annotations.Nullable;

/**
 * The embedded Redis can't start; the message is a sentence for people that ends with the remedy.
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
