package joshua.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds words in our files that indicate unfinished work, or tests that don't run. */
final class UnfinishedWords {
  /** Written in pieces, so that this file doesn't break its own rule. */
  private static final Map<Pattern, String> RULES =
      Map.of(
          Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME|X" + "XX|HA" + "CK)\\b"),
          "work is done or in an issue, not in a note",
          Pattern.compile("@Dis" + "abled(?!\\(\\s*\"[^\"]{10,}\")"),
          "a test that is turned off says why",
          Pattern.compile("\\bassu" + "me(?:True|False|That|ThatCode)\\("),
          "a test is left out by joshua.testing.TestRequirements only");

  private UnfinishedWords() {}

  /** One line for each such word. */
  static List<String> in(List<Path> files) {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      String text = ProjectFiles.read(file);
      RULES.forEach((pattern, rule) ->
          pattern
              .matcher(text)
              .results()
              .forEach(match ->
                  found.add(
                      "%s:%d has %s: %s"
                          .formatted(
                              ProjectFiles.name(file),
                              lineOf(text, match.start()),
                              match.group(),
                              rule))));
    }
    return found;
  }

  private static long lineOf(String text, int offset) {
    return text.substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
  }
}
