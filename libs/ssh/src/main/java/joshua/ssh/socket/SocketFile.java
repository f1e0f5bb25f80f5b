package joshua.ssh.socket;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of a socket in the file system, locked by one process at a time.
 *
 * <p>The lock is on a file beside it, and the system releases it when the process ends in any way:
 * a socket without the lock is stale. The socket is created in a directory that only its owner can
 * enter, gets its mode there, and is then moved to its path: other accounts can never reach it,
 * whatever the umask.
 */
final class SocketFile {
  private static final Logger log = LoggerFactory.getLogger(SocketFile.class);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final String LOCK = "admin.lock";

  /** Short, so that the temporary path is never longer than the socket's final one. */
  private static final String WORKSHOP = ".admin";

  private final Path path;
  private final FileChannel lock;
  private final String owner;
  private boolean placed;

  private SocketFile(Path path, FileChannel lock, String owner) {
    this.path = path;
    this.lock = lock;
    this.owner = owner;
  }

  /** Creates a socket at a path. */
  @FunctionalInterface
  interface Maker {
    void make(Path path) throws IOException;
  }

  /** Locks the path. */
  static SocketFile take(Path file) throws AdminSocket.UnusableSocketException {
    Path path = file.toAbsolutePath().normalize();
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > AdminSocket.LONGEST_PATH) {
      throw new AdminSocket.UnusableSocketException(
          "The path of the socket %s has %d bytes, and a system takes at most %d. Set JOSHUA_DATA_DIR to a directory with a shorter path."
              .formatted(path, length, AdminSocket.LONGEST_PATH));
    }
    Path directory = path.resolveSibling(".").normalize();
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, PRIVATE_DIRECTORY);
      }
      FileChannel lock = lock(directory.resolve(LOCK));
      if (!locked(lock)) {
        lock.close();
        throw new AdminSocket.UnusableSocketException(
            "The socket %s is served by another process. Stop that one first.".formatted(path));
      }
      return new SocketFile(path, lock, Files.getOwner(directory.resolve(LOCK)).getName());
    } catch (IOException e) {
      throw new AdminSocket.UnusableSocketException(
          "The directory %s can't be used for a socket (%s).".formatted(directory, e), e);
    }
  }

  private static FileChannel lock(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(OWNER_ONLY));
  }

  private static boolean locked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  /** The user of this process, who owns the socket. */
  String owner() {
    return owner;
  }

  /** Creates a socket and moves it to its path, replacing a stale one. */
  void place(Maker maker) throws IOException, AdminSocket.UnusableSocketException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .isOther()) {
      throw new AdminSocket.UnusableSocketException(
          "%s is in the way of the socket of that name, and is none. Move it elsewhere."
              .formatted(path));
    }
    Path workshop = path.resolveSibling(WORKSHOP);
    Path fresh = workshop.resolve("s");
    Files.deleteIfExists(fresh);
    Files.deleteIfExists(workshop);
    Files.createDirectory(workshop, PRIVATE_DIRECTORY);
    try {
      maker.make(fresh);
      Files.setPosixFilePermissions(fresh, OWNER_ONLY);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      placed = true;
    } finally {
      Files.deleteIfExists(fresh);
      Files.deleteIfExists(workshop);
    }
  }

  /** Removes the socket, if it was placed, and releases the lock. */
  void release() {
    try (lock) {
      if (placed) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      log.warn("the socket {} is left behind; the next start replaces it", path, e);
    }
  }
}
