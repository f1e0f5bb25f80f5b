package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of an opened file, which shows whether its path still leads to it: SQLite goes on
 * with a file that was deleted or replaced, and everything it writes there is lost at the next
 * start.
 */
final class FileIdentity {
  private static final Logger log = LoggerFactory.getLogger(FileIdentity.class);

  private final Path file;
  private final @Nullable Object opened;
  private final AtomicBoolean said = new AtomicBoolean();

  /** Remembers the current file; nothing where the file system has no identities. */
  FileIdentity(Path file) throws IOException {
    this.file = file;
    this.opened = key(file);
  }

  /** Reports, as a sentence, that the file was deleted or replaced; logged once. */
  Optional<String> problem() {
    if (opened == null || isSame()) {
      return Optional.empty();
    }
    String sentence = new SqliteErrors(file).gone();
    if (said.compareAndSet(false, true)) {
      log.error("{}", sentence);
    }
    return Optional.of(sentence);
  }

  private boolean isSame() {
    try {
      return opened != null && opened.equals(key(file));
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }
}
