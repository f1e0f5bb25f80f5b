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
 * An {@code authorized_keys} file as {@code joshua keys} changes it: by one process at a time;
 * replaced atomically, so that a login reads either the old or the new one; owner and mode kept.
 */
record KeysFile(AuthorizedKeysLocation location, TimedWait pause) {
  /** Computes the new content from the present one. */
  @FunctionalInterface
  interface Change {
    AuthorizedKeys of(AuthorizedKeys before) throws RequestRefusedException;
  }

  /** The file that a change is written to. */
  Path file() {
    return location.file();
  }

  /** The keys in force; none if there is no file. */
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

  /** Changes the file; returns its new content. */
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

  /** A file that is too large is ignored as a whole. */
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
