package joshua.app.settings;

import java.nio.file.Path;
import java.util.Optional;
import joshua.ssh.VerbTerminal;

/** The script that started this program, as it says by system properties. */
public final class Launcher {
  private Launcher() {}

  /** Its path, absolute; empty where the program was started by something else. */
  public static Optional<Path> path() {
    return Optional.ofNullable(System.getProperty("joshua.launcher")).map(Path::of);
  }

  /** The terminal that it was started in, where that is one. */
  public static VerbTerminal terminal(String person) {
    int columns = Integer.getInteger("joshua.columns", 0);
    return new VerbTerminal(
        System.out, System.err, columns, Boolean.getBoolean("joshua.coloured"), person);
  }

  /** Whose {@code data} and {@code configs} are used unless settings say otherwise. */
  public static Path base() {
    return Path.of(System.getProperty("joshua.base", ""));
  }
}
