package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import joshua.tasks.model.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTextTest {
  @ParameterizedTest
  @CsvSource({
    "key correct-horse-battery is wrong, key *** is wrong",
    "Authorization: Bearer abcdefgh12345678, Authorization: Bearer ***",
    "sk-abcdefghijklmnop was refused, *** was refused",
    "http://user:secret@host/v1, http://***@host/v1",
    "api_key=abcdefghij&x=1, api_key=***&x=1",
  })
  void secretsAreMasked(String said, String masked) {
    assertThat(new FailureText(List.of("correct-horse-battery")).mask(said)).isEqualTo(masked);
  }

  @ParameterizedTest
  @CsvSource({
    "x, openai was asked and said no to x",
    "complete, it is completely wrong",
    "any-key, the server at any-key-host is away",
  })
  void sentencesStayWhole(String secret, String said) {
    assertThat(new FailureText(List.of(secret)).mask(said)).isEqualTo(said);
  }

  @Test
  void aFailureWithoutAMessageIsNamed() {
    Outcome.Failed failed = new FailureText(List.of()).of(new IllegalStateException());
    assertThat(failed.message()).isEqualTo("java.lang.IllegalStateException");
    assertThat(failed.stackTrace()).contains("FailureTextTest");
  }
}
