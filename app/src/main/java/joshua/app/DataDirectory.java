package joshua.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;

/**
 * The directory where state lives, held by one running group at a time.
 *
 * <p>It is held by a lock on the file {@code run.lock}, which the system lets go of when the
 * process ends, however that ends.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LOCK = "run.lock";

  /** Somebody who only looks whether it is held holds it for a moment, too. */
  private static final int ATTEMPTS = 5;

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);

  private final Path path;
  private final FileChannel channel;

  private DataDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Creates the directory if need be (mode 0700) and takes hold of it.
   *
   * @throws Unavailable if another process holds it, or it can't be written to
   */
  public static DataDirectory hold(Path path) throws Unavailable, InterruptedException {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      FileChannel channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      for (int attempt = 0; lock(channel, false).isEmpty(); attempt++) {
        if (attempt == ATTEMPTS) {
          channel.close();
          throw new Unavailable(heldByAnother(path));
        }
        Thread.sleep(BETWEEN_ATTEMPTS);
      }
      return new DataDirectory(path, channel);
    } catch (IOException e) {
      throw new Unavailable(
          "The data directory %s can't be used (%s). Make it writable, or set JOSHUA_DATA_DIR to another."
              .formatted(path, e),
          e);
    }
  }

  /** Whether somebody holds the directory, this process included. */
  static boolean isHeld(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return lock(channel, true).isEmpty();
    }
  }

  private static Optional<FileLock> lock(FileChannel channel, boolean shared) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock(0, Long.MAX_VALUE, shared));
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  private static String heldByAnother(Path path) throws IOException, Unavailable {
    String who =
        RunFile.find(path)
            .map(run ->
                "process %d, since %s".formatted(run.pids().get(RunFile.SELF), run.startedAt()))
            .orElse("another process");
    return "A Joshua runs on the data directory %s already (%s). Stop it, or set JOSHUA_DATA_DIR to another directory."
        .formatted(path, who);
  }

  public Path path() {
    return path;
  }

  /** Says what runs here and where it listens, in {@code run.json}. */
  public void publish(RunFile run) throws IOException {
    run.write(path);
  }

  /** Takes {@code run.json} away and lets go. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path.resolve(RunFile.NAME));
    channel.close();
  }
}
