package joshua.kernel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** A suggestion for a misspelt name. */
public final class SpellingSuggestion {
  /** The maximum number of added, missing or wrong letters. */
  private static final int MOST_MISTAKES = 4;

  private SpellingSuggestion() {}

  /** The candidate nearest to {@code written}; empty if none is near. */
  public static Optional<String> nearest(String written, Collection<String> candidates) {
    int mistakes = Math.min(MOST_MISTAKES, written.length() / 2);
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(written, candidate)))
        .filter(candidate -> distance(written, candidate) <= mistakes);
  }

  /** Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substituted, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
