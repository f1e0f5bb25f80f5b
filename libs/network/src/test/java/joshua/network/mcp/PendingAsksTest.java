package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.UnmetRequirementException;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class PendingAsksTest {
  private static final Caller ANN = new Caller(Optional.of("ann"), Role.OPERATOR, "c-1");
  private static final ClientQuestion QUESTION =
      new ClientQuestion("elicitation/create", Json.object());

  private final PendingAsks asks = new PendingAsks();
  private final CountDownLatch put = new CountDownLatch(PendingAsks.MAX_PENDING);

  private void ask() {
    try {
      asks.ask(QUESTION, ANN, message -> put.countDown());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @TriesLimit("mcp.pending-asks")
  void oneQuestionMoreIsNotPut() throws Exception {
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < PendingAsks.MAX_PENDING; i++) {
      waiting.add(Thread.ofVirtual().start(this::ask));
    }
    assertThat(put.await(20, TimeUnit.SECONDS)).isTrue();
    List<Object> sent = new ArrayList<>();
    assertThatThrownBy(() -> asks.ask(QUESTION, ANN, sent::add))
        .isInstanceOf(UnmetRequirementException.MissingCapabilityException.class);
    assertThat(sent).isEmpty();
    waiting.forEach(Thread::interrupt);
    for (Thread each : waiting) {
      each.join();
    }
  }
}
