package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.kernel.ResourceText;

/**
 * A MAD's instructions for users who ask for an action, from {@code howto.txt} beside its training
 * phrases. A line {@code = cancel stop} begins the text for prompts with one of these words, {@code
 * = *} the text for all others; {@code {id}} is the task's id, and its line is left out unless
 * there is exactly one.
 */
final class HowTo {
  private static final String OTHERWISE = "*";
  private static final String ID = "{id}";

  private final Map<Set<String>, List<String>> lines = new LinkedHashMap<>();

  private HowTo(List<String> text) {
    List<String> current = new ArrayList<>();
    for (String line : text) {
      if (line.startsWith("= ")) {
        current = new ArrayList<>();
        lines.put(
            new LinkedHashSet<>(QuestionVocabulary.stems(List.of(line.substring(2).split(" +")))),
            current);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        current.add(line.strip());
      }
    }
    if (lines.keySet().stream().noneMatch(each -> each.contains(OTHERWISE))) {
      throw new IllegalArgumentException("howto.txt has nothing to say otherwise");
    }
  }

  static HowTo beside(Class<?> mad) {
    return new HowTo(
        ResourceText.beside(mad, "phrasings/howto.txt")
            .orElseThrow(() ->
                new IllegalArgumentException(
                    mad.getName() + " has no phrasings/howto.txt beside it"))
            .lines()
            .toList());
  }

  /** The text for a request in these words; the first known word decides. */
  List<String> to(List<String> words, List<String> ids) {
    return words.stream()
        .map(QuestionVocabulary::stem)
        .flatMap(stem -> lines.keySet().stream().filter(each -> each.contains(stem)))
        .findFirst()
        .or(() -> lines.keySet().stream().filter(each -> each.contains(OTHERWISE)).findFirst())
        .map(lines::get)
        .orElseThrow()
        .stream()
        .filter(line -> ids.size() == 1 || !line.contains(ID))
        .map(line -> ids.size() == 1 ? line.replace(ID, ids.getFirst()) : line)
        .toList();
  }
}
