package joshua.dewey;

import java.io.IOException;
import java.time.Duration;
import joshua.dewey.archive.Retention;
import picocli.CommandLine.Option;

/** The settings of the archivist. */
public final class DeweySettings {
  @Option(
      names = "--dewey-keep",
      defaultValue = "all",
      paramLabel = "WHAT",
      description = "all that is said, or direct: messages to somebody alone.")
  Kept keep;

  @Option(
      names = "--dewey-keep-days",
      defaultValue = "7",
      paramLabel = "DAYS",
      description =
          "How long messages are kept, of time in which dewey ran; waiting mail, 30 at least.")
  private int keepDays;

  @Option(
      names = "--dewey-keep-mib",
      defaultValue = "1024",
      paramLabel = "MIB",
      description = "The size of the archive, beyond which the oldest messages go.")
  private int keepMib;

  /**
   * How much is kept.
   *
   * @throws IOException with a sentence for the user
   */
  Retention.Limits limits() throws IOException {
    if (keepDays < 1 || keepMib < 1) {
      throw new IOException("JOSHUA_DEWEY_KEEP_DAYS and JOSHUA_DEWEY_KEEP_MIB must be at least 1.");
    }
    return new Retention.Limits(keepDays, keepMib * 1024L * 1024, Duration.ofHours(1));
  }

  /** What is kept. */
  enum Kept {
    ALL,
    DIRECT
  }
}
