package joshua.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.ssh.CommandLineParser;

/**
 * The data directory, held by one running group at a time.
 *
 * <p>It is held by a lock on the file {@code run.lock}, which the operating system releases when
 * the process ends, no matter how.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LOCK = "run.lock";

  /** A process that only checks whether the directory is held also holds it for a moment. */
  private static final int ATTEMPTS = 5;

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);

  /** Java's name for an account that has a number and no name. */
  private static final String NAMELESS = "?";

  /**
   * The lock files that this process has locked. Closing any other channel to one of them would
   * release its lock, so they aren't opened a second time.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  /** Two threads of a process that try a lock at the same time get in each other's way. */
  private static final ReentrantLock LOOKING = new ReentrantLock();

  private final Path path;
  private final Path file;
  private final FileChannel channel;

  private DataDirectory(Path path, Path file, FileChannel channel) {
    this.path = path;
    this.file = file;
    this.channel = channel;
  }

  /**
   * Creates the directory if need be (mode 0700) and locks it.
   *
   * @throws ServiceUnavailableException if another process holds it, or it can't be written to
   */
  public static DataDirectory hold(Path path)
      throws ServiceUnavailableException, InterruptedException {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      refuseIfOthersCanWrite(path);
      Path file = path.toRealPath().resolve(LOCK);
      if (!HELD_HERE.add(file)) {
        throw new ServiceUnavailableException(heldByAnother(path));
      }
      try {
        return new DataDirectory(path, file, locked(path, file));
      } catch (IOException | ServiceUnavailableException | InterruptedException e) {
        HELD_HERE.remove(file);
        throw e;
      }
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "The data directory %s can't be used (%s). Make it writable, or set JOSHUA_DATA_DIR to another."
              .formatted(path, e),
          e);
    }
  }

  private static FileChannel locked(Path path, Path file)
      throws IOException, ServiceUnavailableException, InterruptedException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    for (int attempt = 0; !isLockedNow(channel); attempt++) {
      if (attempt == ATTEMPTS) {
        channel.close();
        throw new ServiceUnavailableException(heldByAnother(path));
      }
      Thread.sleep(BETWEEN_ATTEMPTS);
    }
    return channel;
  }

  private static boolean isLockedNow(FileChannel channel) throws IOException {
    LOOKING.lock();
    try {
      return channel.tryLock() != null;
    } finally {
      LOOKING.unlock();
    }
  }

  /** The contents of the directory are executed and trusted: programs, passwords, ports. */
  private static void refuseIfOthersCanWrite(Path path)
      throws IOException, ServiceUnavailableException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    PosixFileAttributes attributes = view.readAttributes();
    UserPrincipalLookupService users = path.getFileSystem().getUserPrincipalLookupService();
    String account = System.getProperty("user.name");
    boolean ours =
        account.equals(NAMELESS)
            || attributes.owner().getName().equals(account)
            || attributes.owner().equals(users.lookupPrincipalByName("root"));
    boolean open =
        attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
            || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    if (!ours || open) {
      throw new ServiceUnavailableException(
          "The data directory %s %s, so others could replace what is run and trusted there. %s, or set JOSHUA_DATA_DIR to another."
              .formatted(
                  path,
                  ours
                      ? "can be written by its group or by everybody ("
                          + PosixFilePermissions.toString(attributes.permissions())
                          + ")"
                      : "belongs to " + attributes.owner().getName(),
                  ours ? "Run chmod go-w " + path : "Give it to the account that runs Joshua"));
    }
  }

  /** Whether any process holds the directory, including this one. */
  static boolean isHeld(Path path) throws IOException {
    if (!Files.exists(path.resolve(LOCK))) {
      return false;
    }
    Path file = path.toRealPath().resolve(LOCK);
    if (HELD_HERE.contains(file)) {
      return true;
    }
    LOOKING.lock();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.tryLock(0, Long.MAX_VALUE, true) == null;
    } finally {
      LOOKING.unlock();
    }
  }

  /** The flag that further commands need to use the same data directory, if one has named it. */
  static String option(Settings settings) {
    return settings.source(KnownSettings.DATA_DIR) == Settings.Source.FLAG
        ? " --data-dir " + CommandLineParser.quoted(settings.get(KnownSettings.DATA_DIR).toString())
        : "";
  }

  static String heldByAnother(Path path) throws IOException, ServiceUnavailableException {
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

  /** Publishes what runs here and where it listens, in {@code run.json}. */
  public void publish(RunFile run) throws IOException {
    run.write(path);
  }

  /** Deletes {@code run.json} and releases the lock. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path.resolve(RunFile.NAME));
    channel.close();
    HELD_HERE.remove(file);
  }
}
