package joshua.app.settings;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the group is that a command speaks to. */
public class DataDirectoryOption {
  @Option(
      names = "--data-dir",
      defaultValue = "${sys:joshua.base:-.}/data",
      paramLabel = "DIRECTORY",
      description =
          "Where everything is kept that is kept. Without it, ./data if a group was started there, or"
              + " else data beside ./joshua.")
  private Path dataDirectory;

  /** Absolute. */
  public final Path dataDirectory() {
    return dataDirectory.toAbsolutePath().normalize();
  }
}
