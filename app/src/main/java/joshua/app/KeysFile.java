package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.TimedWait;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.AuthorizedKeysLocation;

/**
 * An {@code authorized_keys} file as {@code joshua keys} changes it: by one at a time; replaced at
 * once, so that a login reads the old or the new one; owner and mode kept.
 */
record KeysFile(AuthorizedKeysLocation location, TimedWait pause) {
  /** Makes other content of the present one. */
  @FunctionalInterface
  interface Change {
    AuthorizedKeys of(AuthorizedKeys before) throws RequestRefusedException;
  }

  /** Where a change is written. */
  Path file() {
    return location.file();
  }

  /** What is in force; nothing if there is no file. */
  AuthorizedKeys read() throws RequestRefusedException {
    Path file = location.inForce();
    if (!Files.exists(file)) {
      return AuthorizedKeys.parse("");
    }
    try {
      return AuthorizedKeysFile.read(file);
    } catch (AuthorizedKeysFile.UnusableKeysException e) {
      throw new RequestRefusedException(e.sentence() + ".");
    }
  }

  /** Changes it; what it holds then. */
  AuthorizedKeys change(Change change)
      throws RequestRefusedException, ServiceUnavailableException, InterruptedException {
    try (FileEditLock turn = FileEditLock.at(file(), pause)) {
      AuthorizedKeys after = change.of(read());
      AtomicFile.replace(turn.real(), check(after).text(), AtomicFile.PUBLIC);
      return after;
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "%s can't be changed (%s). Make it and its directory writable, or set JOSHUA_SSH_AUTHORIZED_KEYS to another."
              .formatted(file(), e),
          e);
    }
  }

  /** A file that is too large counts for nobody. */
  private AuthorizedKeys check(AuthorizedKeys after) throws RequestRefusedException {
    if (after.keys().size() > AuthorizedKeys.MAX_KEYS
        || after.text().getBytes(UTF_8).length > AuthorizedKeys.MAX_BYTES) {
      throw new RequestRefusedException(
          "%s would have more than %d keys or %d bytes; revoke what isn't needed."
              .formatted(file(), AuthorizedKeys.MAX_KEYS, AuthorizedKeys.MAX_BYTES));
    }
    return after;
  }
}
