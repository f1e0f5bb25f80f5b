package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentenceTest {
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
    assertThat(Sentence.of(text).orElseThrow()).hasToString(words);
  }

  @Test
  void isNoLongerThanAQuestion() {
    assertThat(Sentence.of("a".repeat(Sentence.MAX_CHARACTERS))).isPresent();
    assertThat(Sentence.of("a".repeat(Sentence.MAX_CHARACTERS + 1))).isEmpty();
    assertThat(Sentence.of("a ".repeat(Sentence.MAX_TOKENS))).isPresent();
    assertThat(Sentence.of("a ".repeat(Sentence.MAX_TOKENS + 1))).isEmpty();
    assertThat(Sentence.of("  ")).isEmpty();
    // Each of these is eighteen characters in its normal form.
    assertThat(Sentence.of("\ufdfa".repeat(Sentence.MAX_CHARACTERS / 18))).isPresent();
    assertThat(Sentence.of("\ufdfa".repeat(Sentence.MAX_CHARACTERS / 18 + 1))).isEmpty();
  }
}
