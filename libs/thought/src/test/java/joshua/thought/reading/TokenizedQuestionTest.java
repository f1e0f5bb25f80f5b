package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizedQuestionTest {
  @ParameterizedTest
  @CsvSource({
    "What's running?, what is running",
    "bob’s tasks, bob 's tasks",
    "Didn't it work, didn't it work",
    "at 9am, at 9 am",
    "the 16th, the 16 th",
    "ci-bot's, ci-bot 's"
  })
  void isItsWords(String text, String words) {
    assertThat(TokenizedQuestion.of(text).orElseThrow()).hasToString(words);
  }

  @Test
  void isNoLongerThanAQuestion() {
    assertThat(TokenizedQuestion.of("a".repeat(TokenizedQuestion.MAX_CHARACTERS))).isPresent();
    assertThat(TokenizedQuestion.of("a".repeat(TokenizedQuestion.MAX_CHARACTERS + 1))).isEmpty();
    assertThat(TokenizedQuestion.of("a ".repeat(TokenizedQuestion.MAX_TOKENS))).isPresent();
    assertThat(TokenizedQuestion.of("a ".repeat(TokenizedQuestion.MAX_TOKENS + 1))).isEmpty();
    assertThat(TokenizedQuestion.of("  ")).isEmpty();
    // Each of these is eighteen characters in its normal form.
    assertThat(TokenizedQuestion.of("\ufdfa".repeat(TokenizedQuestion.MAX_CHARACTERS / 18)))
        .isPresent();
    assertThat(TokenizedQuestion.of("\ufdfa".repeat(TokenizedQuestion.MAX_CHARACTERS / 18 + 1)))
        .isEmpty();
  }
}
