package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The reason for which a backup isn't made or restored, as a sentence for a person that ends with
 * what to do. What was there before is there still.
 */
public final class BackupFailed extends Exception {
  private static final long serialVersionUID = 1L;

  BackupFailed(String sentence) {
    this(sentence, null);
  }

  BackupFailed(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
