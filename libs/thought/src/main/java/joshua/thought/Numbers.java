package joshua.thought;

import java.util.List;
import java.util.regex.Pattern;

/** Reads small numbers, written in digits or as a word. */
final class Numbers {
  private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,3}");
  private static final List<String> WORDS =
      List.of(
          "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve");

  private Numbers() {}

  /** 0 if it isn't one. */
  static int read(String word) {
    return DIGITS.matcher(word).matches()
        ? Integer.parseInt(word)
        : Math.max(0, WORDS.indexOf(word));
  }
}
