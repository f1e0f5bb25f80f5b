package joshua.ssh;

/** The format of a verb's answer. */
public enum OutputFormat {
  /** For people. */
  TABLE,
  /** For programs: one JSON value per line, with instants and never ages. */
  JSON
}
