package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a backup wasn't made or restored, as a sentence for the admin that ends with what
 * to do. Existing files are unchanged.
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
