package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Pause;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;

/**
 * An {@code authorized_keys} file as {@code joshua keys} changes it: by one at a time, who holds
 * the lock {@code .NAME.lock} beside it; replaced at once, so that a login reads the old or the new
 * one; owner and mode kept.
 */
record KeysFile(Path file, Pause pause) {
  private static final int ATTEMPTS = 50;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Makes other content of the present one. */
  @FunctionalInterface
  interface Change {
    AuthorizedKeys of(AuthorizedKeys before) throws Refused;
  }

  /** What it holds; nothing if it isn't there. */
  AuthorizedKeys read() throws Refused {
    if (!Files.exists(file)) {
      return AuthorizedKeys.parse("");
    }
    try {
      return AuthorizedKeysFile.read(file);
    } catch (AuthorizedKeysFile.Unusable e) {
      throw new Refused(e.sentence() + ".");
    }
  }

  /** Changes it; what it holds then. */
  AuthorizedKeys change(Change change) throws Refused, Unavailable, InterruptedException {
    try {
      Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path directory = real.resolveSibling(".").normalize();
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, PRIVATE_DIRECTORY);
      }
      Path lock = directory.resolve("." + real.getFileName() + ".lock");
      try (FileChannel channel =
          FileChannel.open(
              lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), PRIVATE)) {
        hold(channel);
        AuthorizedKeys after = change.of(read());
        WholeFile.replace(real, check(after).text(), WholeFile.PUBLIC);
        return after;
      }
    } catch (IOException e) {
      throw new Unavailable(
          "%s can't be changed (%s). Make it and its directory writable, or set JOSHUA_SSH_AUTHORIZED_KEYS to another."
              .formatted(file, e),
          e);
    }
  }

  private void hold(FileChannel channel) throws IOException, Unavailable, InterruptedException {
    for (int attempt = 0; lock(channel).isEmpty(); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new Unavailable(
            "Somebody else has been changing %s for %d s. Try again when that is done."
                .formatted(file, BETWEEN_ATTEMPTS.multipliedBy(ATTEMPTS).toSeconds()));
      }
      pause.pause(BETWEEN_ATTEMPTS);
    }
  }

  private static Optional<FileLock> lock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  /** A file that is too large counts for nobody. */
  private AuthorizedKeys check(AuthorizedKeys after) throws Refused {
    if (after.keys().size() > AuthorizedKeys.MAX_KEYS
        || after.text().getBytes(UTF_8).length > AuthorizedKeys.MAX_BYTES) {
      throw new Refused(
          "%s would have more than %d keys or %d bytes; revoke what isn't needed."
              .formatted(file, AuthorizedKeys.MAX_KEYS, AuthorizedKeys.MAX_BYTES));
    }
    return after;
  }
}
