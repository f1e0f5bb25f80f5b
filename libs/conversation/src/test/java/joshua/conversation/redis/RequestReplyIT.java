package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.RequestOutcome;
import joshua.kernel.ErrorCode;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestReplyIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ChannelPattern TO_BOB = new ChannelPattern("mad.direct.bob");

  private BusParticipants participants;
  private ConversationBus alice;
  private ConversationBus bob;

  @BeforeEach
  void join() throws Exception {
    participants = new BusParticipants();
    alice = participants.join("alice");
    bob = participants.join("bob");
  }

  @AfterEach
  void leave() {
    participants.close();
  }

  private CompletableFuture<RequestOutcome> asking(
      OutgoingMessage outgoingMessage, Duration deadline) {
    CompletableFuture<RequestOutcome> reply = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            reply.complete(alice.request(outgoingMessage, deadline));
          } catch (Exception e) {
            reply.completeExceptionally(e);
          }
        });
    return reply;
  }

  private static int number(RequestOutcome requestOutcome) {
    assertThat(requestOutcome).isInstanceOf(RequestOutcome.Answered.class);
    return ((RequestOutcome.Answered) requestOutcome).envelope().payload().path("n").asInt();
  }

  @Test
  void theAnswerComesBackToWhoAsked() throws Exception {
    bob.subscribe(
        TO_BOB,
        question -> {
          int n = question.payload().path("n").asInt();
          bob.sendAsync(OutgoingMessage.answering(question, numbered(n + 1)));
        });
    UUID conversation = UUID.randomUUID();
    RequestOutcome requestOutcome =
        alice.request(OutgoingMessage.to("bob", numbered(41)).conversation(conversation), LONG);
    assertThat(number(requestOutcome)).isEqualTo(42);
    Envelope answer = ((RequestOutcome.Answered) requestOutcome).envelope();
    assertThat(answer.senderId()).isEqualTo("bob");
    assertThat(answer.conversationId()).isEqualTo(conversation);
    assertThat(number(alice.request(OutgoingMessage.to("bob", numbered(1)), LONG))).isEqualTo(2);
  }

  @Test
  void twoRequestsThatInterleaveGetTheirOwnAnswers() throws Exception {
    List<Envelope> questions = new CopyOnWriteArrayList<>();
    bob.subscribe(TO_BOB, questions::add);
    CompletableFuture<RequestOutcome> first = asking(OutgoingMessage.to("bob", numbered(1)), LONG);
    await().until(() -> questions.size() == 1);
    CompletableFuture<RequestOutcome> second = asking(OutgoingMessage.to("bob", numbered(2)), LONG);
    await().until(() -> questions.size() == 2);
    bob.send(OutgoingMessage.answering(questions.get(1), numbered(20)));
    bob.send(OutgoingMessage.answering(questions.get(0), numbered(10)));
    assertThat(number(first.get())).isEqualTo(10);
    assertThat(number(second.get())).isEqualTo(20);
  }

  @Test
  void withoutAnAnswerTheDeadlineEndsItAndALateAnswerDisturbsNothing() throws Exception {
    RecordingHandler questions = new RecordingHandler();
    bob.subscribe(TO_BOB, questions);
    long start = System.nanoTime();
    RequestOutcome requestOutcome =
        alice.request(OutgoingMessage.to("bob", numbered(1)), Duration.ofMillis(300));
    assertThat(requestOutcome).isInstanceOf(RequestOutcome.Unanswered.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(290), Duration.ofSeconds(5));
    Envelope late = questions.messages().getFirst();
    bob.send(OutgoingMessage.answering(late, numbered(1)));

    CompletableFuture<RequestOutcome> next = asking(OutgoingMessage.to("bob", numbered(2)), LONG);
    questions.awaitMessages(2);
    bob.send(OutgoingMessage.answering(late, numbered(1)));
    bob.send(OutgoingMessage.answering(questions.messages().get(1), numbered(2)));
    assertThat(number(next.get())).isEqualTo(2);
  }

  @Test
  void anAnswerByHandCountsAndOneToAnotherCorrelationDoesNot() throws Exception {
    try (RawListener listener = RawListener.on(participants.redis(), "mad.direct.bob");
        RawRedis raw = participants.redis().raw()) {
      UUID correlation = UUID.randomUUID();
      var reply = asking(OutgoingMessage.to("bob", numbered(1)).correlation(correlation), LONG);
      await().until(() -> !listener.on("mad.direct.bob").isEmpty());
      RawEnvelope answer = RawEnvelope.on("mad.direct.alice").from("bob");
      raw.publish("mad.direct.alice", answer.payload("{\"n\":1}").json());
      raw.publish(
          "mad.direct.alice",
          answer.payload("{\"n\":2}").withText("correlation_id", correlation.toString()).json());
      assertThat(number(reply.get())).isEqualTo(2);
    }
  }

  @Test
  void aRequestToOneselfIsNotItsOwnAnswer() throws Exception {
    assertThat(alice.request(OutgoingMessage.to("alice", numbered(1)), Duration.ofMillis(200)))
        .isInstanceOf(RequestOutcome.Unanswered.class);
  }

  @Test
  void theSameCorrelationTwiceAtOnceIsRefused() throws Exception {
    RecordingHandler questions = new RecordingHandler();
    bob.subscribe(TO_BOB, questions);
    OutgoingMessage outgoingMessage =
        OutgoingMessage.to("bob", numbered(1)).correlation(UUID.randomUUID());
    CompletableFuture<RequestOutcome> first = asking(outgoingMessage, LONG);
    questions.awaitMessages(1);
    assertThat(alice.request(outgoingMessage, LONG))
        .isInstanceOfSatisfying(
            RequestOutcome.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    bob.send(OutgoingMessage.answering(questions.messages().getFirst(), numbered(5)));
    assertThat(number(first.get())).isEqualTo(5);
  }

  @Test
  void theEndOfATaskIsTheReplyIfItComesInTimeElseThatItIsPending() throws Exception {
    bob.subscribe(
        TO_BOB,
        question -> {
          var pending = numbered(1).put("status", "pending").put("task_id", "t");
          bob.send(OutgoingMessage.answering(question, pending));
          if (question.payload().path("n").asInt() == 1) {
            bob.send(OutgoingMessage.answering(question, numbered(2)));
            bob.send(OutgoingMessage.answering(question, numbered(3)));
          }
        });
    assertThat(number(alice.request(OutgoingMessage.to("bob", numbered(1)), LONG))).isEqualTo(2);
    RequestOutcome pending =
        alice.request(OutgoingMessage.to("bob", numbered(7)), Duration.ofMillis(500));
    assertThat(number(pending)).isEqualTo(1);
  }

  @Test
  void onlyTheAddresseeReplies() throws Exception {
    ConversationBus eve = participants.join("eve");
    bob.subscribe(
        TO_BOB,
        question -> {
          eve.send(OutgoingMessage.answering(question, numbered(666)));
          bob.send(OutgoingMessage.answering(question, numbered(2)));
        });
    assertThat(number(alice.request(OutgoingMessage.to("bob", numbered(1)), LONG))).isEqualTo(2);
  }

  @Test
  void whoAsksForAnotherIsAnsweredOnTheOthersChannel() throws Exception {
    bob.subscribe(
        TO_BOB, question -> bob.sendAsync(OutgoingMessage.answering(question, numbered(5))));
    RequestOutcome requestOutcome =
        alice.request(OutgoingMessage.to("bob", numbered(1)).from("ann"), LONG);
    assertThat(number(requestOutcome)).isEqualTo(5);
    assertThat(((RequestOutcome.Answered) requestOutcome).envelope().channel())
        .isEqualTo(Channel.direct("ann"));
  }

  @Test
  void aRequestThatIsTooLargeIsNotSent() throws Exception {
    var payload = numbered(1).put("text", "x".repeat(100_000));
    assertThat(alice.request(OutgoingMessage.on(Channel.direct("bob"), payload), LONG))
        .isInstanceOfSatisfying(
            RequestOutcome.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.TOO_LARGE));
  }
}
