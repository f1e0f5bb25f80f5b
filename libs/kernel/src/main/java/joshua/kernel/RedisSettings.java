package joshua.kernel;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The settings of the embedded Redis, except its port. */
public final class RedisSettings {
  /** The value, in place of a path, for the Redis that ships with Joshua. */
  public static final String BUNDLED = "bundled";

  public static final Setting<String> PROGRAM =
      Setting.text(
              "redis-program",
              null,
              "absolute path, or bundled",
              "The redis-server or valkey-server to run as the embedded Redis; by default the first on the PATH that withstands the known attacks, else the bundled one.")
          .checked(text ->
              text.equals(BUNDLED) || isAbsolute(text)
                  ? Optional.empty()
                  : Optional.of("must be an absolute path, or bundled"));

  private RedisSettings() {}

  private static boolean isAbsolute(String text) {
    try {
      return Path.of(text).isAbsolute();
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
