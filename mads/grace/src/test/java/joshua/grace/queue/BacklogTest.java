package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.BusIdentity;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.grace.queue.Polls.Page;
import joshua.grace.queue.Polls.Poll;
import joshua.kernel.Json;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final Channel ANN = Channel.direct("ann");
  private static final Channel NEWS = Channel.topic("news");
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  private final ManualTime time = new ManualTime(NOON);
  private final ClientQueues queues =
      new ClientQueues("a1", new ClientQueues.Limits(3, 2, 10_000), time, time::nanoTime);
  private final Polls polls = new Polls(queues, _ -> {});
  private final Connection socket = new Connection("socket", () -> false);
  private final Handover handover = queues.handover();

  @BeforeEach
  void subscribe() {
    handover.setHeard(true);
    TestMessages.subscribe(queues, "ann", socket, ANN.name(), NEWS.name());
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

  private Polls.Open begin() {
    return polls.begin(new Poll("ann", Optional.empty(), Duration.ZERO, 9, 9_999, 9_999, socket));
  }

  private Page poll() {
    Answer answer = (Answer) begin().atOnce().orElseThrow();
    answer.written().accept(true);
    return answer.page();
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
    begin(); // by the same socket
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
    ClientPresence presence =
        new ClientPresence(queues, new BusIdentity("grace", "i", "1", NOON), _ -> {});
    fetch();
    deliver(1, ANN);
    assertThat(presence.unread()).isEmpty();
    deliver(2, NEWS);
    assertThat(presence.unread()).contains("1 message waits unread for ann");
    handover.setHeard(false);
    assertThat(presence.unread()).contains("2 messages wait unread for ann");
  }
}
