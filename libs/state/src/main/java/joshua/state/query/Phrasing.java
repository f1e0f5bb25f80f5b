package joshua.state.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A phrasing of a query in plain words, from a line of its file: {@code why|error + task|tasks /
 * fail fails / by=error}.
 *
 * @param needed one word of each set; {@code <status>} stands for a value of that argument
 * @param also optional words
 * @param arguments that the phrasing itself sets
 */
public record Phrasing(List<Set<String>> needed, Set<String> also, Map<String, String> arguments) {
  static Phrasing parse(String line) {
    String[] parts = line.split("/", -1);
    List<Set<String>> needed = new ArrayList<>();
    for (String alternatives : parts[0].split("\\+", -1)) {
      needed.add(new LinkedHashSet<>(Arrays.asList(alternatives.strip().split("\\|", -1))));
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    for (String pair : words(parts, 2)) {
      String[] nameAndValue = pair.split("=", 2);
      arguments.put(nameAndValue[0], nameAndValue[1]);
    }
    return new Phrasing(needed, new LinkedHashSet<>(words(parts, 1)), arguments);
  }

  private static List<String> words(String[] parts, int part) {
    String text = part < parts.length ? parts[part].strip() : "";
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+", -1));
  }

  /** Whether a word is part of it. */
  public boolean knows(String word) {
    return also.contains(word) || needed.stream().anyMatch(group -> group.contains(word));
  }
}
