package joshua.integration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.Gap;
import joshua.conversation.MessageHandler;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.testing.Await;

final class RecordingHandler implements MessageHandler {
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

  /** A payload that {@link #numbers} reads. */
  static ObjectNode numbered(int number) {
    return Json.object().put("n", number);
  }

  List<Envelope> messages() {
    return messages;
  }

  List<Gap> gaps() {
    return gaps;
  }

  List<Integer> numbers() {
    return messages.stream().map(message -> message.payload().path("n").asInt(-1)).toList();
  }

  /** Waits for a message whose number is this; those before it are there then, too. */
  void awaitNumber(int number) {
    Await.value("message " + number, this::numbers, numbers -> numbers.contains(number));
  }

  void awaitGap() {
    Await.until("a gap is told", () -> !gaps.isEmpty());
  }
}
