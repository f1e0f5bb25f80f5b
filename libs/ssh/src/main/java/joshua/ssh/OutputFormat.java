package joshua.ssh;

/** How a verb writes its answer. */
public enum OutputFormat {
  /** For people. */
  TABLE,
  /** For programs: one JSON value a line, with instants and never ages. */
  JSON
}
