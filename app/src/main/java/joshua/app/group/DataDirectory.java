package joshua.app.group;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.PrivateFile;

/**
 * A group's data directory, with a lock that one group at a time holds. The lock ends with the
 * process, however that ends. One channel alone holds it: closing any other of the same file would
 * release it.
 */
final class DataDirectory implements AutoCloseable {
  private final Path path;
  private final FileChannel lock;

  private DataDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Makes the directory if need be, for this user alone, and locks it, or says why it can't. */
  static DataDirectory open(Path path) throws IOException {
    FileChannel lock;
    try {
      PrivateFile.createDirectories(path);
      lock = lockFile(path);
    } catch (IOException e) {
      throw new IOException(
          "The data directory %s can't be used (%s). Set JOSHUA_DATA_DIR to another."
              .formatted(path, e),
          e);
    }
    if (!isLocked(lock)) {
      lock.close();
      String process =
          RunFile.read(path).map(run -> " (process %d)".formatted(run.pid())).orElse("");
      throw new IOException(
          "A group runs in %s already%s. Stop it by ./joshua stop, or set JOSHUA_DATA_DIR."
              .formatted(path, process));
    }
    return new DataDirectory(path, lock);
  }

  /** Whether a group uses a directory. */
  static boolean isInUse(Path path) throws IOException {
    if (!Files.exists(path.resolve("lock"))) {
      return false;
    }
    try (FileChannel file = lockFile(path)) {
      return !isLocked(file);
    }
  }

  /** Is done when no group uses the directory any more, which may be long. */
  static CompletableFuture<?> free(Path path) {
    return CompletableFuture.runAsync(() -> {
      try (FileChannel file = lockFile(path)) {
        file.lock();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private static FileChannel lockFile(Path path) throws IOException {
    return FileChannel.open(
        path.resolve("lock"),
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
        PrivateFile.MODE);
  }

  private static boolean isLocked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
