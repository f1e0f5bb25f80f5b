package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionVocabularyTest {
  private static final QuestionVocabulary VOCABULARY =
      new QuestionVocabulary(QuestionVocabulary.stems(List.of("hammering")), Set.of("cancel"));

  private static List<String> words(String question) {
    return TokenizedQuestion.of(question).orElseThrow().words();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list the tasks of carol",
        "carol's tasks",
        "how many tasks about the invoice",
        "tasks regarding my pipeline"
      })
  void aStrangeWordMaySayWhatItIsAbout(String question) {
    assertThat(VOCABULARY.speaksOfAStranger(words(question))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list the tasks of everybody",
        "what's being hammered",
        "gimme the tasks",
        "tasks pronto"
      })
  void otherWordsMayNot(String question) {
    assertThat(VOCABULARY.speaksOfAStranger(words(question))).isFalse();
  }

  @Test
  void aWordIsStrangeThatNobodyAsksOrActsWith() {
    List<String> words = words("cancel the hammering pronto");
    assertThat(VOCABULARY.strange(words, false)).containsExactly("cancel", "pronto");
    assertThat(VOCABULARY.strange(words, true)).containsExactly("pronto");
  }
}
