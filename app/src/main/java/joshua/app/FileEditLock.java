package joshua.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import joshua.kernel.TimedWait;

/**
 * An exclusive lock for changing a file by reading and replacing it, held until closed. It is the
 * lock on {@code .NAME.lock} next to the file.
 */
final class FileEditLock implements AutoCloseable {
  private static final int ATTEMPTS = 50;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path real;
  private final FileChannel lock;

  private FileEditLock(Path real, FileChannel lock) {
    this.real = real;
    this.lock = lock;
  }

  /**
   * Waits for the lock, for up to 5 s. The file's directory is created if it isn't there.
   *
   * @throws ServiceUnavailableException if another process holds it for all that time
   */
  static FileEditLock at(Path file, TimedWait timedWait)
      throws IOException, ServiceUnavailableException, InterruptedException {
    Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath().normalize();
    Path directory = real.resolveSibling(".").normalize();
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, PRIVATE_DIRECTORY);
    }
    FileChannel channel =
        FileChannel.open(
            directory.resolve("." + real.getFileName() + ".lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PRIVATE);
    try {
      for (int attempt = 0; !locked(channel); attempt++) {
        if (attempt == ATTEMPTS) {
          throw new ServiceUnavailableException(
              "Somebody else has been changing %s for %d s. Try again when that is done."
                  .formatted(file, BETWEEN_ATTEMPTS.multipliedBy(ATTEMPTS).toSeconds()));
        }
        timedWait.pause(BETWEEN_ATTEMPTS);
      }
      return new FileEditLock(real, channel);
    } catch (IOException | ServiceUnavailableException | InterruptedException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** The file itself, with symbolic links resolved. */
  Path real() {
    return real;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
