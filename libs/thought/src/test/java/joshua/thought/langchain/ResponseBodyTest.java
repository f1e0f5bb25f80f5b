package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.thought.ModelConfig;
import joshua.thought.Secret;
import joshua.thought.StageDeadline;
import org.junit.jupiter.api.Test;

class ResponseBodyTest {
  private static final ModelConfig CONFIG =
      new ModelConfig(
          ModelProvider.OPENAI,
          List.of("test-model"),
          Optional.empty(),
          Secret.none(),
          AdapterFixture.patient());

  /** The requests to the HTTP client. */
  private final List<String> asked = new ArrayList<>();

  private final Flow.Subscription subscription =
      new Flow.Subscription() {
        @Override
        public void request(long count) {
          asked.add("request " + count);
        }

        @Override
        public void cancel() {
          asked.add("cancel");
        }
      };

  private final ResponseBody body =
      new ResponseBody(
          new ModelCall(CONFIG, "test-model", StageDeadline.in(Duration.ofMinutes(1))));

  @Test
  void aBodyThatBeginsWhenNobodyWaitsAnyMoreIsCancelled() {
    body.abandon();
    body.onSubscribe(subscription);
    assertThat(asked).containsExactly("cancel");
  }

  @Test
  void aBodyThatBeganAndIsNeverReadIsCancelled() {
    body.onSubscribe(subscription);
    body.onNext(List.of(ByteBuffer.allocate(1)));
    body.abandon();
    assertThat(asked).containsExactly("request 1", "cancel");
  }

  @Test
  void aPieceIsAskedForWhenTheOneBeforeHasBeenTaken() throws Exception {
    body.onSubscribe(subscription);
    body.onNext(List.of(ByteBuffer.wrap(new byte[] {7})));
    assertThat(asked).containsExactly("request 1");
    try (ResponseBody.Stream stream = body.stream()) {
      assertThat(stream.read()).isEqualTo(7);
      assertThat(asked).containsExactly("request 1", "request 1");
      body.onComplete();
      assertThat(stream.read()).isEqualTo(-1);
    }
    assertThat(asked).containsExactly("request 1", "request 1", "cancel");
  }
}
