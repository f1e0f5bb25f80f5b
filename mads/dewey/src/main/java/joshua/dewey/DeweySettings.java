package joshua.dewey;

import picocli.CommandLine.Option;

/** The settings of the archivist. */
public final class DeweySettings {
  @Option(
      names = "--dewey-keep",
      defaultValue = "all",
      paramLabel = "WHAT",
      description = "all that is said, or direct: messages to somebody alone.")
  Kept keep;

  /** What is kept. */
  enum Kept {
    ALL,
    DIRECT
  }
}
