package joshua.thought.reading;

/** Whether a question refers to the asker's own things: "my tasks" does, "tell me" doesn't. */
enum AskerWords {
  NO,
  PERHAPS,
  YES;

  /** The more certain of the two. */
  AskerWords or(AskerWords other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
