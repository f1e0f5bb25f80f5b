package joshua.thought.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The words with which one can ask, by their stems: those of the phrasings of the queries, and
 * those of the phrasings that ask to act. A question with another word speaks of something that no
 * query knows: "tasks about the <em>invoice</em>".
 */
final class Vocabulary {
  private static final List<String> ENDINGS = List.of("ing", "ed", "es", "s", "ly", "e");
  private static final int SHORTEST_STEM = 3;

  /** Words that carry nothing which an answer could miss. */
  private static final Set<String> EMPTY =
      stems(
          List.of(
              "a", "actually", "again", "all", "alright", "also", "am", "an", "and", "any",
              "anyway", "are", "at", "be", "been", "being", "bit", "both", "but", "by", "can",
              "check", "could", "currently", "dear", "did", "do", "does", "doing", "each", "either",
              "else", "ever", "exactly", "fiedler", "find", "for", "from", "get", "give", "got",
              "had", "has", "have", "having", "hello", "here", "hey", "hi", "how", "if", "in",
              "is", "it", "its", "just", "kindly", "know", "like", "list", "look", "many", "maybe",
              "me", "much", "need", "now", "of", "oh", "ok", "okay", "on", "or", "out", "perhaps",
              "please", "pls", "plz", "precisely", "quick", "quickly", "really", "right", "roughly",
              "say", "see", "show", "so", "some", "tell", "thanks", "thank", "that", "the", "their",
              "them", "then", "there", "these", "they", "thing", "this", "those", "to", "up", "us",
              "want", "was", "we", "well", "were", "what", "when", "where", "whether", "which",
              "who", "whose", "why", "will", "with", "would", "yet", "you", "your", "wondering",
              "curious", "overall", "approximately", "still", "ones", "thus", "far", "present",
              "moment", "lately", "recently", "display", "report", "provide", "output", "print",
              "fetch", "retrieve", "return", "query", "get", "let", "quite", "very"));

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
          && !EMPTY.contains(stem)
          && !asking.contains(stem)
          && !(toAct && acting.contains(stem))) {
        strange.add(word);
      }
    }
    return strange;
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
        return doubled && !ending.equals("e") && stem.charAt(end) != 's' && stem.charAt(end) != 'l' ? stem.substring(0, end) : stem;
      }
    }
    return word;
  }
}
