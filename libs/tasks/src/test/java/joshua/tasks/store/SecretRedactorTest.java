package joshua.tasks.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import joshua.tasks.TaskFixture;
import joshua.tasks.model.TaskError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers never read a secret in a failure (REQ-FD-06). */
final class SecretRedactorTest {
  private final SecretRedactor secretRedactor = new SecretRedactor(List.of("hunter2-the-secret"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "it was hunter2-the-secret            | it was ***",
        "Authorization: Bearer abcdefgh12345  | Authorization: Bearer ***",
        "api_key=12345abc, more               | api_key=***, more",
        "{\"api-key\": \"s3cr3tv\"}            | {\"api-key\": \"***\"}",
        "sk-proj-abcdefgh12345 is wrong       | *** is wrong",
        "redis://user:pa55@host:6379/0        | redis://***@host:6379/0",
        "The password must be longer          | The password must be longer",
        "max tokens: 200                      | max tokens: 200",
      })
  void secretsAreMaskedAndTheRestIsNot(String text, String masked) {
    assertThat(secretRedactor.mask(text)).isEqualTo(masked);
  }

  @Test
  void anErrorHasItsCausesAndNoSecret() {
    TaskError error =
        secretRedactor.error(
            new IllegalStateException(
                "the model failed", new RuntimeException("key hunter2-the-secret refused")));
    assertThat(error.message()).isEqualTo("the model failed");
    assertThat(error.stackTrace())
        .contains("Caused by: java.lang.RuntimeException: key *** refused", "SecretRedactorTest")
        .doesNotContain("hunter2");
  }

  @Test
  void aSecretThatHoldsAnotherIsMaskedWhole() {
    assertThat(
            new SecretRedactor(List.of("hunter2", "hunter2-the-secret"))
                .mask("is hunter2-the-secret"))
        .isEqualTo("is ***");
  }

  @Test
  void whatWasSuppressedIsToldToo() {
    RuntimeException failed = new RuntimeException("all models failed");
    failed.addSuppressed(
        new RuntimeException("the other with hunter2-the-secret", new RuntimeException("deep")));
    assertThat(secretRedactor.error(failed).stackTrace())
        .contains("Suppressed: java.lang.RuntimeException: the other with ***")
        .contains("Caused by: java.lang.RuntimeException: deep");
  }

  @Test
  void aCircleOfCausesHasAnEnd() {
    RuntimeException one = new RuntimeException("one");
    RuntimeException other = new RuntimeException("other", one);
    one.initCause(other);
    other.addSuppressed(one);
    assertThat(secretRedactor.error(one).stackTrace()).contains("Caused by", "other");
  }

  @Test
  void settingsDoNotPrintSecrets() {
    assertThat(TaskFixture.ROOMY.toString()).contains("running=4").doesNotContain("hunter2");
  }

  @Test
  void anEndlessErrorIsCut() {
    TaskError error = secretRedactor.error(new RuntimeException("x".repeat(100_000)));
    assertThat(error.message()).hasSizeLessThan(2_100);
    assertThat(error.stackTrace()).hasSizeLessThan(33_000);
  }
}
