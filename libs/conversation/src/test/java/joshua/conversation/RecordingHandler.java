package joshua.conversation;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;

/** A handler that keeps what it gets. */
public final class RecordingHandler implements MessageHandler, MessageReceiver {
  private static final Duration COMES_WITHIN = Duration.ofSeconds(20);
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final List<Envelope> messages = new CopyOnWriteArrayList<>();
  private final List<Gap> gaps = new CopyOnWriteArrayList<>();

  @Override
  public void onMessage(Envelope envelope) {
    messages.add(envelope);
  }

  @Override
  public void onGap(Gap gap) {
    gaps.add(gap);
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    onMessage(receivedMessage.envelope());
  }

  @Override
  public void missed(Gap gap) {
    onGap(gap);
  }

  public List<Envelope> messages() {
    return List.copyOf(messages);
  }

  /** The member {@code n} of each payload, in order. */
  public List<Integer> numbers() {
    return messages.stream().map(envelope -> envelope.payload().path("n").asInt(-1)).toList();
  }

  public List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  private static ConditionFactory awaiting() {
    return await().atMost(COMES_WITHIN).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY);
  }

  public void awaitMessages(int count) {
    awaiting().until(() -> messages.size() >= count);
  }

  public void awaitGaps(int count) {
    awaiting().until(() -> gaps.size() >= count);
  }
}
