package joshua.kernel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** A suggestion for a misspelt name. */
public final class SpellingSuggestion {
  private static final int MAX_MISTAKES = 4;
  private static final int MIN_PART_LENGTH = 3;
  private static final int MAX_LENGTH = 256;

  private SpellingSuggestion() {}

  /**
   * The shortest candidate that begins with the text, ignoring case, or else the one with the
   * smallest edit distance, or the shortest one that contains it. Empty if none is near.
   */
  public static Optional<String> nearest(String written, Collection<String> candidates) {
    if (written.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String word = written.toLowerCase(Locale.ROOT);
    int most = Math.min(MAX_MISTAKES, word.length() / 2);
    Optional<String> nearest =
        candidates.stream()
            .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
            .filter(candidate -> distance(word, candidate) <= most);
    return word.length() < MIN_PART_LENGTH
        ? nearest
        : shortest(candidates, candidate -> candidate.startsWith(word))
            .or(() -> nearest)
            .or(() -> shortest(candidates, candidate -> candidate.contains(word)));
  }

  /** The {@link #nearest} as a question for the middle of a sentence; empty if none is near. */
  public static String question(String written, Collection<String> candidates) {
    return nearest(written, candidates).map(" (did you mean %s?)"::formatted).orElse("");
  }

  private static Optional<String> shortest(Collection<String> all, Predicate<String> fits) {
    return all.stream()
        .filter(candidate -> fits.test(candidate.toLowerCase(Locale.ROOT)))
        .min(Comparator.comparingInt(String::length));
  }

  /** Levenshtein's edit distance. */
  private static int distance(String word, String candidate) {
    String other = candidate.toLowerCase(Locale.ROOT);
    int[] previous = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= word.length(); i++) {
      int[] current = new int[other.length() + 1];
      current[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int substituted = previous[j - 1] + (word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substituted, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[other.length()];
  }
}
