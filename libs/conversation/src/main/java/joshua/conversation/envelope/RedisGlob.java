package joshua.conversation.envelope;

/**
 * Redis' own rules for matching a channel to a glob, quirks included, so that a relay's clients
 * receive exactly what Redis itself would deliver.
 */
final class RedisGlob {
  private RedisGlob() {}

  /** Whether a pattern has a wildcard or an escape. */
  static boolean isGlob(String pattern) {
    return literalBeginning(pattern).length() < pattern.length();
  }

  /** The literal prefix of every matching channel. */
  static String literalBeginning(String pattern) {
    int end = 0;
    while (end < pattern.length() && "*?[\\".indexOf(pattern.charAt(end)) < 0) {
      end++;
    }
    return pattern.substring(0, end);
  }

  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    // Where to resume when a later part fails: the last star, and the end of the text it has taken.
    int star = -1;
    int taken = -1;
    while (t < text.length() || p < pattern.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        taken = t;
        continue;
      }
      int next = t < text.length() && p < pattern.length() ? step(pattern, p, text.charAt(t)) : -1;
      if (next >= 0) {
        p = next;
        t++;
      } else if (star >= 0 && taken < text.length()) {
        p = star + 1;
        t = ++taken;
      } else {
        return false;
      }
    }
    return true;
  }

  /** The position after the element at {@code p} if it matches {@code c}, else -1. */
  private static int step(String pattern, int p, char c) {
    char element = pattern.charAt(p);
    if (element == '?') {
      return p + 1;
    }
    if (element == '[') {
      return stepClass(pattern, p + 1, c);
    }
    boolean quoted = element == '\\' && p + 1 < pattern.length();
    char literal = quoted ? pattern.charAt(p + 1) : element;
    return literal == c ? p + (quoted ? 2 : 1) : -1;
  }

  /** As in Redis, a class without its closing bracket extends to the end of the pattern. */
  private static int stepClass(String pattern, int start, char c) {
    int p = start;
    boolean negated = p < pattern.length() && pattern.charAt(p) == '^';
    p += negated ? 1 : 0;
    boolean found = false;
    while (p < pattern.length() && pattern.charAt(p) != ']') {
      if (pattern.charAt(p) == '\\' && p + 1 < pattern.length()) {
        found |= pattern.charAt(p + 1) == c;
        p += 2;
      } else if (p + 2 < pattern.length() && pattern.charAt(p + 1) == '-') {
        int low = Math.min(pattern.charAt(p), pattern.charAt(p + 2));
        int high = Math.max(pattern.charAt(p), pattern.charAt(p + 2));
        found |= low <= c && c <= high;
        p += 3;
      } else {
        found |= pattern.charAt(p) == c;
        p++;
      }
    }
    return found != negated ? Math.min(p + 1, pattern.length()) : -1;
  }
}
