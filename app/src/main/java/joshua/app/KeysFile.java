package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.Pause;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.AuthorizedKeysLocation;

/**
 * An {@code authorized_keys} file as {@code joshua keys} changes it: by one at a time; replaced at
 * once, so that a login reads the old or the new one; owner and mode kept.
 */
record KeysFile(AuthorizedKeysLocation location, Pause pause) {
  /** Makes other content of the present one. */
  @FunctionalInterface
  interface Change {
    AuthorizedKeys of(AuthorizedKeys before) throws Refused;
  }

  /** Where a change is written. */
  Path file() {
    return location.file();
  }

  /** What is in force; nothing if there is no file. */
  AuthorizedKeys read() throws Refused {
    Path file = location.inForce();
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
    try (EditingTurn turn = EditingTurn.at(file(), pause)) {
      AuthorizedKeys after = change.of(read());
      WholeFile.replace(turn.real(), check(after).text(), WholeFile.PUBLIC);
      return after;
    } catch (IOException e) {
      throw new Unavailable(
          "%s can't be changed (%s). Make it and its directory writable, or set JOSHUA_SSH_AUTHORIZED_KEYS to another."
              .formatted(file(), e),
          e);
    }
  }

  /** A file that is too large counts for nobody. */
  private AuthorizedKeys check(AuthorizedKeys after) throws Refused {
    if (after.keys().size() > AuthorizedKeys.MAX_KEYS
        || after.text().getBytes(UTF_8).length > AuthorizedKeys.MAX_BYTES) {
      throw new Refused(
          "%s would have more than %d keys or %d bytes; revoke what isn't needed."
              .formatted(file(), AuthorizedKeys.MAX_KEYS, AuthorizedKeys.MAX_BYTES));
    }
    return after;
  }
}
