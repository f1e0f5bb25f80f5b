package joshua.thought.reading;

/**
 * One word, number or mark of a question.
 *
 * @param text in lower case
 * @param capitals whether it was written in capitals
 */
record QuestionToken(String text, Kind kind, boolean capitals) {
  /** The kind of a token. */
  enum Kind {
    WORD,
    NUMBER,
    CLOCK,
    DATE,
    MOMENT,
    ID,
    QUOTED,
    MARK
  }

  boolean is(String... words) {
    for (String word : words) {
      if (text.equals(word)) {
        return true;
      }
    }
    return false;
  }
}
