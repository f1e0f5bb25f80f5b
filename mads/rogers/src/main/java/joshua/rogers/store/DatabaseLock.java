package joshua.rogers.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives one Rogers the exclusive right to count into a database: a lock on a file next to it, which
 * the operating system releases when the process ends, no matter how. Two processes counting into
 * the same tables would count everything twice.
 */
public final class DatabaseLock implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DatabaseLock.class);
  private static final int NUMBER_LIMIT = 20;

  private final FileChannel channel;

  private DatabaseLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Another Rogers has the database, or it can't be locked at all; the message is a full sentence.
   */
  public static final class LockRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    LockRefusedException(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }

  /**
   * Takes the lock, before the database is opened.
   *
   * @param database its file; the lock is {@code <file>.lock}
   */
  public static DatabaseLock of(Path database) throws LockRefusedException {
    Path file = database.resolveSibling(database.getFileName() + ".lock");
    try {
      createDirectory(file.toAbsolutePath().resolveSibling("."));
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (lock(channel)) {
        channel.truncate(0);
        String self = Long.toString(ProcessHandle.current().pid());
        channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)));
        return new DatabaseLock(channel);
      }
      String holder = holder(channel);
      channel.close();
      throw new LockRefusedException(
          "Database %s is in use by another Rogers%s, and two would count everything twice. Stop that one, or give this one a JOSHUA_DATA_DIR of its own."
              .formatted(database, holder),
          null);
    } catch (IOException e) {
      throw new LockRefusedException(
          "The lock %s of Rogers' database can't be taken (%s). Make the file and its directory readable and writable for the user that Joshua runs as."
              .formatted(file, e),
          e);
    }
  }

  /** Readable by its owner only; an existing one is left as it is. */
  private static void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory.normalize(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // Held by this process itself.
      return false;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer number = ByteBuffer.allocate(NUMBER_LIMIT);
    channel.read(number, 0);
    String text = new String(number.array(), 0, number.position(), StandardCharsets.UTF_8);
    return text.matches("\\d+") ? " (process " + text + ")" : "";
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      log.warn("the lock of Rogers' database was not given back well", e);
    }
  }
}
