package joshua.conversation;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;

/** A receiver and handler that keeps the member {@code n} of each payload, and the gaps. */
final class ReceiverLog implements MessageReceiver, MessageHandler {
  private final List<Envelope> envelopes = new CopyOnWriteArrayList<>();
  private final List<Gap> gaps = new CopyOnWriteArrayList<>();

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    envelopes.add(receivedMessage.envelope());
  }

  @Override
  public void missed(Gap gap) {
    gaps.add(gap);
  }

  @Override
  public void onMessage(Envelope envelope) {
    envelopes.add(envelope);
  }

  @Override
  public void onGap(Gap gap) {
    gaps.add(gap);
  }

  List<Envelope> envelopes() {
    return List.copyOf(envelopes);
  }

  List<Integer> numbers() {
    return envelopes.stream().map(envelope -> envelope.payload().path("n").asInt(-1)).toList();
  }

  List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  void awaitMessages(int count) {
    soon().until(() -> envelopes.size() >= count);
  }

  void awaitGaps(int count) {
    soon().until(() -> gaps.size() >= count);
  }
}
