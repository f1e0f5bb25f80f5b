package joshua.thought.reading;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import joshua.thought.WordLists;

/**
 * The vocabulary of questions, as word stems: those of the queries' training phrases, and those of
 * the phrases that ask for an action. A question with another word is about something that no query
 * covers: "tasks about the <em>invoice</em>".
 */
public final class QuestionVocabulary {
  private static final List<String> ENDINGS = List.of("ing", "ed", "es", "s", "ly", "e");
  private static final int SHORTEST_STEM = 3;

  /** Words without a meaning that an answer could miss. */
  private static final Set<String> PLAIN_WORDS =
      WordLists.beside(QuestionVocabulary.class, "plain-words.txt").list("plain");

  private static final Set<String> PLAIN = stems(PLAIN_WORDS);

  private final Set<String> asking;
  private final Set<String> acting;

  QuestionVocabulary(Set<String> asking, Set<String> acting) {
    this.asking = Set.copyOf(asking);
    this.acting = Set.copyOf(acting);
  }

  /** Words before the owner of what a question is about. */
  private static final Set<String> OWNED = Set.of("of", "from", "by", "for");

  /** Words that, with a word like "the", precede the topic. */
  private static final Set<String> TOPICAL =
      Set.of("about", "regarding", "concerning", "mentioning", "containing");

  private static final Set<String> ARTICLES =
      Set.of("the", "a", "an", "my", "our", "some", "any", "all");

  /**
   * Whether an unknown word is the question's topic or owner: "tasks of carol", "tasks about the
   * invoice", "carol's tasks". An answer that ignored it would be to another question.
   */
  boolean speaksOfAStranger(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      if (!strange(words.subList(i, i + 1), false).isEmpty()) {
        int before = i - 1;
        while (before >= 0 && ARTICLES.contains(words.get(before))) {
          before--;
        }
        boolean about = before >= 0 && TOPICAL.contains(words.get(before));
        boolean ownedBy = i > 0 && OWNED.contains(words.get(i - 1));
        boolean owns = i + 1 < words.size() && words.get(i + 1).equals("'s");
        if (about || ownedBy || owns) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The words of a sentence that aren't in the vocabulary of questions, or, for {@code act}, of
   * actions.
   */
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

  /** Whether the unstemmed word has no meaning of its own. */
  static boolean isPlainWord(String word) {
    return PLAIN_WORDS.contains(word);
  }

  /** Whether a word has no meaning that an answer could miss. */
  static boolean isPlain(String word) {
    return PLAIN.contains(stem(word));
  }

  /** The stems of these words, each once. */
  public static Set<String> stems(Collection<String> words) {
    Set<String> stems = new TreeSet<>();
    words.forEach(word -> stems.add(stem(word)));
    return stems;
  }

  /** Removes a word's ending: crude, and the same for questions and training phrases. */
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
