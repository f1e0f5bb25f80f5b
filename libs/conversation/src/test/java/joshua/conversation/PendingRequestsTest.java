package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import joshua.conversation.PendingRequests.Request;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.Test;

class PendingRequestsTest {
  private static final SendResult.Accepted SENT = new SendResult.Accepted(null, 1);

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final PendingRequests requests = new PendingRequests(time::nanoTime);
  private final UUID correlation = UUID.randomUUID();
  private final UUID conversation = UUID.randomUUID();
  private final Request request =
      requests.begin(correlation, conversation, "ann", Optional.of("bob"));

  private Envelope from(String sender, String channel, ObjectNode payload) {
    UUID id = UUID.randomUUID();
    Channel on = new Channel(channel);
    Optional<String> to = Optional.of("ann");
    return new Envelope(id, id, correlation, Instant.EPOCH, sender, to, on, payload, Map.of());
  }

  private Envelope reply(int number) {
    return from("bob", "mad.direct.ann", Json.object().put("n", number));
  }

  private Envelope pending() {
    return from("bob", "mad.direct.ann", Json.object().put("status", "pending").put("task_id", 1));
  }

  @Test
  void theFirstReplyIsTaken() throws Exception {
    Envelope first = reply(1);
    assertThat(requests.offer(first)).isTrue();
    assertThat(requests.offer(reply(2))).isFalse();
    assertThat(request.result(SENT, Duration.ZERO))
        .isEqualTo(new RequestResult.Answered(SENT, first));
  }

  private static byte[] envelope(UUID correlation) {
    return Json.bytes(Json.object().put("correlation_id", correlation.toString()));
  }

  private static OutgoingMessage fromBob(ObjectNode payload) {
    return OutgoingMessage.to("ann", payload).from("bob");
  }

  @Test
  void aMessageWithoutIdsMayAnswerWhatItsSenderHasJustRead() {
    OutgoingMessage message = fromBob(Json.object().put("n", 1));
    assertThat(requests.answeredBy(message)).as("nothing was read").isEmpty();

    requests.delivered("bob", Stream.of(envelope(UUID.randomUUID()), envelope(correlation)));
    requests.delivered("bob", Stream.empty());
    requests.delivered("carl", Stream.of(envelope(UUID.randomUUID())));
    assertThat(requests.answeredBy(message)).isEqualTo(Map.of(correlation, conversation));
    assertThat(requests.answeredBy(message.withConversation(conversation))).hasSize(1);
    assertThat(
            List.of(
                message.withConversation(UUID.randomUUID()),
                message.from("carl"),
                OutgoingMessage.to("carl", Json.object()).from("bob"),
                fromBob(Json.object().put("status", "x")),
                fromBob(Json.object().put("notification_type", "x"))))
        .allSatisfy(other -> assertThat(requests.answeredBy(other)).isEmpty());

    requests.begin(UUID.randomUUID(), conversation, "ann", Optional.of("bob"));
    assertThat(requests.answeredBy(message)).as("another isn't read yet").hasSize(1);
    requests.delivered("bob", Stream.of(envelope(UUID.randomUUID())));
    assertThat(requests.answeredBy(message)).as("something else was read").isEmpty();
    requests.delivered("bob", Stream.of(envelope(correlation)));
    requests.offer(reply(1));
    assertThat(requests.answeredBy(message)).as("it has its reply").isEmpty();
  }

  @Test
  void thatATaskIsPendingIsTheReplyOnlyIfItsEndDoesNotComeInTime() throws Exception {
    Envelope pending = pending();
    assertThat(requests.offer(pending)).isTrue();
    assertThat(request.result(SENT, Duration.ZERO))
        .isEqualTo(new RequestResult.Answered(SENT, pending));
    assertThat(requests.offer(reply(1))).as("what comes later").isFalse();
  }

  @Test
  void theEndOfATaskIsTheReplyIfItComesInTime() throws Exception {
    Envelope end = reply(1);
    assertThat(requests.offer(pending())).isTrue();
    assertThat(requests.offer(end)).isTrue();
    assertThat(request.result(SENT, Duration.ZERO))
        .isEqualTo(new RequestResult.Answered(SENT, end));
  }

  @Test
  void whoIsInterruptedIsGivenWhatHasBeenTakenForIt() throws Exception {
    assertThat(requests.offer(pending())).isTrue();
    Thread.currentThread().interrupt();
    assertThat(request.result(SENT, Duration.ofMinutes(1)))
        .isInstanceOf(RequestResult.Answered.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whoIsInterruptedBeforeAReplyTakesNone() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> request.result(SENT, Duration.ofMinutes(1)))
        .isInstanceOf(InterruptedException.class);
    assertThat(requests.offer(reply(1))).isFalse();
  }

  @Test
  void aReplyComesFromTheAddresseeOnTheAskersChannelWhileTheRequestWaits() throws Exception {
    assertThat(requests.offer(from("eve", "mad.direct.ann", Json.object()))).isFalse();
    assertThat(requests.offer(from("ann", "mad.direct.ann", Json.object()))).isFalse();
    assertThat(requests.offer(from("bob", "mad.topic.x", Json.object()))).isFalse();
    requests.end(correlation);
    assertThat(requests.offer(reply(1))).isFalse();
    assertThat(request.result(SENT, Duration.ZERO)).isInstanceOf(RequestResult.Unanswered.class);
  }

  @Test
  void toATopicAnybodyMayReplyButTheAsker() {
    requests.end(correlation);
    requests.begin(correlation, conversation, "ann", Optional.empty());
    assertThat(requests.offer(from("ann", "mad.direct.ann", Json.object()))).isFalse();
    assertThat(requests.offer(from("eve", "mad.direct.ann", Json.object()))).isTrue();
  }

  @Test
  void oneCorrelationWaitsOnceAndNotTooManyWaitAtAll() {
    assertThat(requests.begin(correlation, conversation, "ann", Optional.empty())).isNull();
    for (int i = 1; i < PendingRequests.MAX_PENDING; i++) {
      assertThat(requests.begin(UUID.randomUUID(), conversation, "ann", Optional.empty()))
          .isNotNull();
    }
    assertThat(requests.begin(UUID.randomUUID(), conversation, "ann", Optional.empty())).isNull();
  }

  @Test
  void whoAskedIsAnAskerForSomeSecondsMore() {
    time.advance(Duration.ofMinutes(5));
    assertThat(requests.askers()).as("it waits still").containsExactly("ann");
    requests.end(correlation);
    time.advance(Duration.ofSeconds(12));
    assertThat(requests.askers()).containsExactly("ann");
    time.advance(Duration.ofSeconds(1));
    assertThat(requests.askers()).isEmpty();
  }
}
