package joshua.thought;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.ResourceText;

/**
 * Lists of words from a resource: {@code [name]} begins a list, and {@code [name value]} a list of
 * words for a value. Words are separated by spaces; {@code _} joins the words of a phrase, and
 * {@code #} begins a comment line.
 */
public final class WordLists {
  private static final Pattern HEADER = Pattern.compile("\\[([^\\]]+)\\](.*)");

  private final String file;
  private final Map<String, Set<String>> lists = new LinkedHashMap<>();

  WordLists(String file, String text) {
    this.file = file;
    Set<String> list = new LinkedHashSet<>();
    for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
      Matcher header = HEADER.matcher(line);
      String words = line;
      if (header.matches()) {
        list = lists.computeIfAbsent(header.group(1), name -> new LinkedHashSet<>());
        words = header.group(2);
      }
      for (String word : words.strip().split(" +", -1)) {
        if (!word.isEmpty()) {
          list.add(word.replace('_', ' '));
        }
      }
    }
  }

  /** Reads a file that is shipped beside a class. */
  public static WordLists beside(Class<?> owner, String file) {
    return new WordLists(
        file,
        ResourceText.beside(owner, file)
            .orElseThrow(() -> new IllegalStateException(file + " is missing from the jar")));
  }

  /** The words of a list. */
  public Set<String> list(String name) {
    Set<String> list = lists.get(name);
    if (list == null) {
      throw new IllegalStateException(file + " has no list " + name);
    }
    return Set.copyOf(list);
  }

  /** The values of the lists {@code [name value]}, by word; a word has one value at most. */
  public Map<String, String> values(String name) {
    Map<String, String> values = new LinkedHashMap<>();
    lists.forEach((header, words) -> {
      if (header.startsWith(name + " ")) {
        String value = header.substring(name.length() + 1);
        for (String word : words) {
          String other = values.put(word, value);
          if (other != null) {
            throw new IllegalStateException(
                "%s has \"%s\" under two values of %s: %s and %s"
                    .formatted(file, word, name, other, value));
          }
        }
      }
    });
    return Map.copyOf(values);
  }
}
