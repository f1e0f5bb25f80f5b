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
 * The location of the keys that may log in. Unless a file is configured, it is in the data
 * directory; until that file exists, keys in {@code configs/ssh/authorized_keys} are used (wire
 * contract §5).
 *
 * @param file the file for keys
 * @param former the file that is read as long as {@code file} doesn't exist, if any
 */
public record AuthorizedKeysLocation(Path file, Optional<Path> former) {
  private static final Path FORMER = Path.of("configs/ssh/authorized_keys");

  /** A configured file, without a fallback. */
  public static AuthorizedKeysLocation named(Path file) {
    return new AuthorizedKeysLocation(file, Optional.empty());
  }

  public static AuthorizedKeysLocation of(Settings settings) {
    Path file = settings.get(KnownSettings.SSH_AUTHORIZED_KEYS);
    return settings.source(KnownSettings.SSH_AUTHORIZED_KEYS) == Settings.Source.DEFAULT
        ? new AuthorizedKeysLocation(file, Optional.of(settings.home().resolve(FORMER)))
        : named(file);
  }

  /** The file that is read now. An empty file in the data directory also counts as existing. */
  public Path inForce() {
    return formerInForce().orElse(file);
  }

  /** The notice to log at a start that reads keys from the former file. */
  public Optional<String> notice() {
    return formerInForce()
        .map(keys ->
            "The SSH keys are those of %s, since there is no %s; joshua keys add copies them there."
                .formatted(keys, file));
  }

  /** The former file, if it is the one in use. */
  public Optional<Path> formerInForce() {
    return former.filter(keys -> !Files.exists(file) && hasKeys(keys));
  }

  /** Whether the file can be trusted is decided where it is read. */
  private static boolean hasKeys(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(AuthorizedKeys.MAX_BYTES), UTF_8);
      return !AuthorizedKeys.parse(text).keys().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}
