package joshua.app;

/** How a subcommand writes its answer: {@code -o text} or {@code -o json}. */
public enum OutputFormat {
  TEXT,
  JSON
}
