package joshua.thought.reading;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The words with which one can ask, by their stems: those of the phrasings of the queries, and
 * those of the phrasings that ask to act. A question with another word speaks of something that no
 * query knows: "tasks about the <em>invoice</em>".
 */
final class Vocabulary {
  private static final List<String> ENDINGS = List.of("ing", "ed", "es", "s", "ly", "e");
  private static final int SHORTEST_STEM = 3;

  /** Words that carry nothing which an answer could miss. */
  private static final Set<String> PLAIN = plain();

  private final Set<String> asking;
  private final Set<String> acting;

  Vocabulary(Set<String> asking, Set<String> acting) {
    this.asking = Set.copyOf(asking);
    this.acting = Set.copyOf(acting);
  }

  Set<String> asking() {
    return new TreeSet<>(asking);
  }

  Set<String> acting() {
    return new TreeSet<>(acting);
  }

  /** The words of a sentence that nobody asks with, or, for {@code act}, asks to act with. */
  List<String> strange(List<String> words, boolean toAct) {
    List<String> strange = new ArrayList<>();
    for (String word : words) {
      String stem = stem(word);
      if (!word.startsWith("<")
          && !PLAIN.contains(stem)
          && !asking.contains(stem)
          && !(toAct && acting.contains(stem))) {
        strange.add(word);
      }
    }
    return strange;
  }

  private static Set<String> plain() {
    try (InputStream stream = Vocabulary.class.getResourceAsStream("plain-words.txt")) {
      if (stream == null) {
        throw new IllegalStateException("plain-words.txt is missing from the jar");
      }
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return stems(
          text.lines()
              .filter(line -> !line.startsWith("#"))
              .flatMap(line -> Stream.of(line.split(" ")))
              .filter(word -> !word.isEmpty())
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Set<String> stems(List<String> words) {
    Set<String> stems = new TreeSet<>();
    words.forEach(word -> stems.add(stem(word)));
    return stems;
  }

  /** A word without its ending: crude, and the same for question and phrasing. */
  static String stem(String word) {
    for (String ending : ENDINGS) {
      if (word.endsWith(ending) && word.length() - ending.length() >= SHORTEST_STEM) {
        String stem = word.substring(0, word.length() - ending.length());
        int end = stem.length() - 1;
        boolean doubled = end > SHORTEST_STEM - 1 && stem.charAt(end) == stem.charAt(end - 1);
        return doubled && !ending.equals("e") && stem.charAt(end) != 's' && stem.charAt(end) != 'l'
            ? stem.substring(0, end)
            : stem;
      }
    }
    return word;
  }
}
