package joshua.app.settings;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the group is that a command speaks to. */
public class DataDirectoryOption {
  @Option(
      names = "--data-dir",
      defaultValue = "data",
      paramLabel = "DIRECTORY",
      description = "Where everything is kept that is kept.")
  private Path dataDirectory;

  /** Absolute. */
  public final Path dataDirectory() {
    return dataDirectory.toAbsolutePath().normalize();
  }
}
