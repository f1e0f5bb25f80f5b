package joshua.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * Where the keys are that may log in. Unless a file is named, they are in the data directory; until
 * that file is there, keys in {@code configs/ssh/authorized_keys} count (wire contract §5).
 *
 * @param file where keys belong
 * @param former where keys are read from as long as {@code file} isn't there, if it has any
 */
public record AuthorizedKeysLocation(Path file, Optional<Path> former) {
  private static final Path FORMER = Path.of("configs/ssh/authorized_keys");

  /** A file that was named, and no other. */
  public static AuthorizedKeysLocation named(Path file) {
    return new AuthorizedKeysLocation(file, Optional.empty());
  }

  public static AuthorizedKeysLocation of(Settings settings) {
    Path file = settings.get(KnownSettings.SSH_AUTHORIZED_KEYS);
    return settings.source(KnownSettings.SSH_AUTHORIZED_KEYS) == Settings.Source.DEFAULT
        ? new AuthorizedKeysLocation(file, Optional.of(settings.home().resolve(FORMER)))
        : named(file);
  }

  /** The file that is read now. An empty one in the data directory is one, too. */
  public Path inForce() {
    return formerInForce().orElse(file);
  }

  /** What is to be said at a start that reads keys from the former file. */
  public Optional<String> notice() {
    return formerInForce()
        .map(keys ->
            "The SSH keys are those of %s, since there is no %s; joshua keys add copies them there."
                .formatted(keys, file));
  }

  /** The former file, if that is the one that is read now. */
  public Optional<Path> formerInForce() {
    return former.filter(keys -> !Files.exists(file) && hasKeys(keys));
  }

  /** Whether it may be believed is decided where it is read. */
  private static boolean hasKeys(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(AuthorizedKeys.MAX_BYTES), UTF_8);
      return !AuthorizedKeys.parse(text).keys().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}
