package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The reason for which a database isn't opened, backed up or restored, as a sentence for a person
 * that ends with what to do.
 */
public final class CannotOpen extends Exception {
  private static final long serialVersionUID = 1L;

  CannotOpen(String sentence) {
    this(sentence, null);
  }

  CannotOpen(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
