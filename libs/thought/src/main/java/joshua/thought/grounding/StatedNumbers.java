package joshua.thought.grounding;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers that a text states, in digits or in words. */
final class StatedNumbers {
  private static final Pattern PORTION =
      Pattern.compile(
          "\\b(?:top|first|last|latest|newest|next) (\\d{1,6}|[a-z]{3,9})\\b",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern ORDINAL = Pattern.compile("\\b\\d+(?:st|nd|rd|th)\\b");
  private static final Pattern DIGITS =
      Pattern.compile(
          "(?<![\\w.]|[A-Za-z]-)(\\d{1,3}(?:[,'_\\u2009\\u202f]\\d{3})+|\\d+)(\\.\\d+)?"
              + "(?: ?(k|K|M|thousand|million|billion)\\b)?");

  private static final List<String> UNITS =
      List.of(
          "zero",
          "one",
          "two",
          "three",
          "four",
          "five",
          "six",
          "seven",
          "eight",
          "nine",
          "ten",
          "eleven",
          "twelve",
          "thirteen",
          "fourteen",
          "fifteen",
          "sixteen",
          "seventeen",
          "eighteen",
          "nineteen");
  private static final List<String> TENS =
      List.of("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety");
  private static final Map<String, Long> FACTORS =
      Map.of(
          "dozen",
          12L,
          "hundred",
          100L,
          "thousand",
          1_000L,
          "million",
          1_000_000L,
          "billion",
          1_000_000_000L,
          "k",
          1_000L,
          "m",
          1_000_000L);
  private static final String ONE_OF_THESE =
      String.join("|", UNITS)
          + "|"
          + String.join("|", TENS)
          + "|dozens?|hundreds?|thousands?|millions?|billions?";

  /** "One" alone is seldom a number: "no one", "the one that". */
  private static final Pattern WORDS =
      Pattern.compile(
          "\\b(?:" + ONE_OF_THESE + ")(?:(?:[ -]| and )(?:" + ONE_OF_THESE + "))*\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern COUNTED =
      Pattern.compile(
          "\\s+(?:[a-z]+ )?(?:messages?|participants?|senders?|clients?|channels?|loss|letters?|storms?"
              + "|loops?|alarms?|hours?|times?|bytes?|minutes?|seconds?|tasks?|occasions?)\\b",
          Pattern.CASE_INSENSITIVE);

  private StatedNumbers() {}

  /** The first number of {@code text} without evidence. */
  static Optional<String> unfounded(String text, EvidenceIndex evidenceIndex) {
    String rest = ORDINAL.matcher(withoutPortions(text, evidenceIndex)).replaceAll(" ");
    Optional<String> digits =
        DIGITS
            .matcher(rest)
            .results()
            .filter(found -> !evidenceIndex.number(value(found)))
            .map(MatchResult::group)
            .findFirst();
    if (digits.isPresent()) {
      return digits;
    }
    String words = DIGITS.matcher(rest).replaceAll(" ");
    return WORDS
        .matcher(words)
        .results()
        .filter(found -> !isOneOfSome(found, words))
        .map(MatchResult::group)
        .filter(found -> !evidenceIndex.number(value(found)))
        .findFirst();
  }

  private static boolean isOneOfSome(MatchResult found, String text) {
    return found.group().equalsIgnoreCase("one")
        && !COUNTED.matcher(text).region(found.end(), text.length()).lookingAt();
  }

  private static String withoutPortions(String text, EvidenceIndex evidenceIndex) {
    Matcher matcher = PORTION.matcher(text);
    return matcher.replaceAll(found -> {
      Optional<BigDecimal> number =
          found.group(1).matches("\\d+")
              ? Optional.of(new BigDecimal(found.group(1)))
              : Optional.of(UNITS.indexOf(found.group(1).toLowerCase(Locale.ROOT)))
                  .filter(index -> index > 0)
                  .map(BigDecimal::valueOf);
      return number.filter(evidenceIndex::portion).isPresent()
          ? " "
          : Matcher.quoteReplacement(found.group());
    });
  }

  private static BigDecimal value(MatchResult found) {
    String whole = found.group(1).replaceAll("[^0-9]", "");
    String part = found.group(2) == null ? "" : found.group(2);
    BigDecimal value = new BigDecimal(whole + part);
    return found.group(3) == null
        ? value
        : value.multiply(
            BigDecimal.valueOf(FACTORS.getOrDefault(found.group(3).toLowerCase(Locale.ROOT), 1L)));
  }

  /** "Two hundred and five", "twenty-one", "a dozen". */
  private static BigDecimal value(String words) {
    long total = 0;
    long current = 0;
    for (String word : words.toLowerCase(Locale.ROOT).split("[^a-z]+", -1)) {
      String single =
          word.endsWith("s") && !UNITS.contains(word) ? word.substring(0, word.length() - 1) : word;
      if (UNITS.contains(word)) {
        current += UNITS.indexOf(word);
      } else if (TENS.contains(word)) {
        current += 20 + 10L * TENS.indexOf(word);
      } else if (FACTORS.containsKey(single)) {
        long factor = FACTORS.get(single);
        current = Math.max(1, current) * factor;
        if (factor > 100) {
          total += current;
          current = 0;
        }
      }
    }
    return BigDecimal.valueOf(total + current);
  }
}
