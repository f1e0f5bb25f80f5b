package joshua.thought.grounding;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.thought.WordLists;
import org.jspecify.annotations.Nullable;

/**
 * The participants that a text mentions: known names, and words in the position or form of a name
 * that aren't ordinary words.
 */
final class StatedNames {
  private static final Pattern TOKEN =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?");
  private static final Pattern NAMED_BEFORE =
      Pattern.compile(
          "(?:from|by|to|participants?|senders?|clients?|agents?|services?|named|called|between)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern DONE_AFTER =
      Pattern.compile(
          "\\s+(?:alone\\s+|also\\s+|only\\s+)?(?:sent|sends|published|publishes|joined|left|missed|lost|went|came|received|disconnected"
              + "|(?:is|was|has been|had been)\\s+(?:connected|healthy|stale|disconnected|silent|the)|has|had)\\b"
              + "|\\s*[(:=]\\s*\\d|\\s+(?:with|at)\\s+\\d",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern JOINED = Pattern.compile("\\s*(?:,|and|or|,\\s*and|&)\\s*");
  private static final Pattern SENTENCE_START =
      Pattern.compile("(?:^|[.!?:|\\n>-]\\s*|[-*•|(\"'`]\\s*)$");
  private static final String MARKS = "`\"'@“‘";
  private static final Set<String> ORDINARY =
      WordLists.beside(StatedNames.class, "ordinary-words.txt").list("ordinary");

  private final Set<String> known;
  private final Set<String> fine;

  /**
   * @param known all participants
   * @param fine words that are never names, whatever they look like: names of queries and tools
   */
  StatedNames(Set<String> known, Set<String> fine) {
    this.known = lower(known);
    this.fine = lower(fine);
  }

  private static Set<String> lower(Set<String> words) {
    return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** The first name of {@code text} without evidence. */
  Optional<String> unfounded(String text, EvidenceIndex evidenceIndex) {
    List<MatchResult> tokens = TOKEN.matcher(text).results().toList();
    for (int i = 0; i < tokens.size(); i++) {
      MatchResult token = tokens.get(i);
      MatchResult before = i == 0 ? null : tokens.get(i - 1);
      if (!evidenceIndex.word(token.group())
          && !fine.contains(token.group().toLowerCase(Locale.ROOT))
          && isName(token, before, text, evidenceIndex)) {
        return Optional.of(token.group());
      }
    }
    return Optional.empty();
  }

  private boolean isName(
      MatchResult token, @Nullable MatchResult before, String text, EvidenceIndex evidenceIndex) {
    String word = token.group();
    boolean marked = token.start() > 0 && MARKS.indexOf(text.charAt(token.start() - 1)) >= 0;
    boolean capital =
        Character.isUpperCase(word.charAt(0))
            && !word.equals(word.toUpperCase(Locale.ROOT))
            && !SENTENCE_START
                .matcher(text.substring(Math.max(0, token.start() - 8), token.start()))
                .find();
    if (known.contains(word.toLowerCase(Locale.ROOT))) {
      return marked || capital || !isOrdinary(word);
    }
    if (isNumber(word) || isOrdinary(word)) {
      return false;
    }
    return isShaped(word)
        || marked
        || capital
        || follows(before, token, text, evidenceIndex)
        || DONE_AFTER.matcher(text).region(token.end(), text.length()).lookingAt();
  }

  /** After a word that a name follows, or joined to a name. */
  private static boolean follows(
      @Nullable MatchResult before, MatchResult token, String text, EvidenceIndex evidenceIndex) {
    if (before == null) {
      return false;
    }
    String between = text.substring(before.end(), token.start());
    return (between.isBlank() && NAMED_BEFORE.matcher(before.group()).matches())
        || (JOINED.matcher(between).matches() && evidenceIndex.value(before.group()));
  }

  /** Digits with their units are amounts. */
  private static boolean isNumber(String word) {
    return word.matches(
        "\\d[\\d._:-]*(?:ms|s|min|h|d|B|kB|KB|KiB|MB|MiB|GB|GiB|k|K|M|x|st|nd|rd|th)?|\\d+-[a-z]+");
  }

  private static boolean isShaped(String word) {
    return word.matches(".*(?:\\d|[._:]).*");
  }

  /** Ordinary, or made of ordinary words. */
  private static boolean isOrdinary(String word) {
    return !isShaped(word)
        && Arrays.stream(word.toLowerCase(Locale.ROOT).split("-", -1))
            .allMatch(part -> part.length() < 2 || forms(part).anyMatch(ORDINARY::contains));
  }

  private static Stream<String> forms(String word) {
    return Stream.of(
        word,
        without(word, "s", ""),
        without(word, "es", ""),
        without(word, "ies", "y"),
        without(word, "ed", ""),
        without(word, "ed", "e"),
        without(word, "ing", ""),
        without(word, "ing", "e"),
        without(word, "ly", ""),
        without(word, "er", ""),
        without(word, "est", ""));
  }

  private static String without(String word, String end, String instead) {
    return word.endsWith(end) ? word.substring(0, word.length() - end.length()) + instead : word;
  }
}
