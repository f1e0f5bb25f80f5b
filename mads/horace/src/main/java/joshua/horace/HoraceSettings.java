package joshua.horace;

import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The settings of the shared memory. */
public final class HoraceSettings {
  @Option(
      names = "--horace-versions",
      defaultValue = "50",
      paramLabel = "N",
      description = "How many versions of a document are kept, as far as they fit in 32 MiB.")
  private int versions;

  @Option(
      names = "--horace-change-days",
      defaultValue = "30",
      paramLabel = "DAYS",
      description = "How long it is kept what changed when; 100000 changes at most.")
  private int changeDays;

  /**
   * How many versions of a document are kept.
   *
   * @throws IOException with a sentence for the user
   */
  int versions() throws IOException {
    return atLeastTwo(versions, "JOSHUA_HORACE_VERSIONS");
  }

  /** How long changes are kept. */
  Duration changesKept() throws IOException {
    return Duration.ofDays(atLeastTwo(changeDays, "JOSHUA_HORACE_CHANGE_DAYS"));
  }

  private static int atLeastTwo(int value, String name) throws IOException {
    if (value < 2) {
      throw new IOException(name + " must be at least 2.");
    }
    return value;
  }
}
