package joshua.thought.reading;

/** Whether a question speaks of what is the asker's: "my tasks" does, "tell me" doesn't. */
enum AskerWords {
  NO,
  PERHAPS,
  YES;

  /** The surer of both. */
  AskerWords or(AskerWords other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
