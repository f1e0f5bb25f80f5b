package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a database can't be opened, backed up or restored, as a sentence for the admin
 * that ends with what to do.
 */
public final class CannotOpenException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotOpenException(String sentence) {
    this(sentence, null);
  }

  CannotOpenException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
