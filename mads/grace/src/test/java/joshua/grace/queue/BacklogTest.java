package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Polls.Page;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BacklogTest extends QueueFixture {
  private static final Channel ANN = Channel.direct("ann");
  private static final Channel NEWS = Channel.topic("news");
  private final Handover handover = queues.handover();

  @Override
  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(3, 2, 10_000);
  }

  @BeforeEach
  void subscribe() {
    handover.setHeard(true);
    subscribe("ann", null, ANN.name(), NEWS.name());
  }

  private static Envelope message(int number, Channel channel) {
    UUID id = new UUID(7, number);
    return new Envelope(
        id, id, id, NOON, "bob", Optional.empty(), channel, Json.object(), Map.of());
  }

  private void deliver(int number, Channel channel) {
    Envelope envelope = message(number, channel);
    queues.deliver(envelope, EnvelopeCodec.encode(envelope), _ -> true);
  }

  private void fetch(Envelope... page) {
    Fetch fetch = handover.begin("ann").orElseThrow();
    handover.passed(fetch.id());
    end(fetch, page);
  }

  private void end(Fetch fetch, Envelope... page) {
    ObjectNode answer = Json.object().put("remaining", 0).put("complete", true);
    for (Envelope mail : page) {
      answer.withArrayProperty("messages").add(Json.parseTrusted(EnvelopeCodec.encode(mail)));
    }
    handover.end(fetch, Optional.of(answer));
  }

  private Page poll() {
    return take("ann").page();
  }

  /** Else the archivist, who doesn't know yet that it was collected, would give it again. */
  @Test
  void whileAPageMayBeUnreadNothingIsFetched() {
    fetch();
    for (int number = 1; number <= 4; number++) {
      deliver(number, ANN);
    }
    assertThat(poll().messages()).hasSize(3);
    assertThat(handover.begin("ann")).isEmpty();
    polls.begin(request("ann", null, Duration.ZERO, socket)); // again
    assertThat(handover.begin("ann").orElseThrow().collected()).hasSize(3);
  }

  /** Who sleeps wouldn't be woken by what lies at the archivist alone. */
  @Test
  void whatComesDuringAFetchIsQueuedIfItIsAllThereIs() {
    Fetch fetch = handover.begin("ann").orElseThrow();
    deliver(1, ANN);
    handover.passed(fetch.id());
    deliver(2, ANN);
    end(fetch, message(1, ANN));
    assertThat(handover.begin("ann")).isEmpty();
    assertThat(poll().messages())
        .extracting(QueuedMessage::id)
        .containsExactly(new UUID(7, 1).toString(), new UUID(7, 2).toString());
    deliver(3, ANN);
    assertThat(poll().messages()).hasSize(1);
    assertThat(poll().messages()).isEmpty();
    assertThat(queues.waitingBytes()).isZero();
  }

  @Test
  void whatWasLeftToAnArchivistThatGoesAwayIsToldOnce() {
    fetch();
    for (int number = 1; number <= 4; number++) {
      deliver(number, ANN);
    }
    assertThat(poll().gap()).isEmpty();
    handover.setHeard(false);
    assertThat(poll().gap().map(Loss::reason)).contains(Loss.Reason.NOT_KEPT);
    assertThat(poll().gap()).isEmpty();
  }

  @Test
  void aStopLosesWhatNobodyKeeps() {
    fetch();
    deliver(1, ANN);
    assertThat(presence.unread()).isEmpty();
    deliver(2, NEWS);
    assertThat(presence.unread()).contains("1 message waits unread for ann");
    handover.setHeard(false);
    assertThat(presence.unread()).contains("2 messages wait unread for ann");
  }
}
