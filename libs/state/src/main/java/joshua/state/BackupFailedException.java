package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The reason for which a backup isn't made or restored, as a sentence for a person that ends with
 * what to do. What was there before is there still.
 */
public final class BackupFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  BackupFailedException(String sentence) {
    this(sentence, null);
  }

  BackupFailedException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
