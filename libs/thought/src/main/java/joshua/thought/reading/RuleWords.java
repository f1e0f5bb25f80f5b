package joshua.thought.reading;

import java.util.Map;
import java.util.Set;
import joshua.thought.WordLists;

/** The words that the rules know, from {@code rule-words.txt}. */
final class RuleWords {
  private static final WordLists LISTS = WordLists.beside(RuleWords.class, "rule-words.txt");

  private RuleWords() {}

  static Set<String> list(String name) {
    return LISTS.list(name);
  }

  static Set<String> stems(String name) {
    return QuestionVocabulary.stems(LISTS.list(name));
  }

  /** The values of a kind, by the words for them. */
  static Map<String, String> values(String kind) {
    return LISTS.values(kind);
  }
}
