package joshua.integration;

import static joshua.integration.RecordingHandler.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.ErrorCode;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A request and its reply (+JC-10). */
@ExtendWith(SharedRedis.class)
class RequestReplyTest {
  /** Longer than any test. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration SHORT = Duration.ofMillis(200);

  private final TestNames names = new TestNames();
  private final String bobsName = names.of("bob");
  private final ChannelPattern toBob = ChannelPattern.exactly(Channel.direct(bobsName));
  private final RecordingHandler questions = new RecordingHandler();
  @AutoClose private TestBus participants;
  private ConversationBus alice;
  private ConversationBus bob;

  @BeforeEach
  void join(RedisServer redis) throws Exception {
    participants = new TestBus(redis);
    alice = participants.join(names.of("alice"));
    bob = participants.join(bobsName);
  }

  private OutgoingMessage question(int number) {
    return OutgoingMessage.to(bobsName, numbered(number));
  }

  private CompletableFuture<RequestResult> asking(OutgoingMessage message) {
    CompletableFuture<RequestResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        result.complete(alice.request(message, LONG));
      } catch (Exception e) {
        result.completeExceptionally(e);
      }
    });
    return result;
  }

  private static int number(RequestResult result) {
    assertThat(result).isInstanceOf(RequestResult.Answered.class);
    return ((RequestResult.Answered) result).reply().payload().path("n").asInt();
  }

  @Test
  void theReplyComesBackToWhoAsked() throws Exception {
    bob.subscribe(
        toBob,
        asked -> {
          int n = asked.payload().path("n").asInt();
          bob.sendAsync(OutgoingMessage.answering(asked, numbered(n + 1)));
        });
    UUID conversation = UUID.randomUUID();
    RequestResult result = alice.request(question(41).withConversation(conversation), LONG);
    assertThat(number(result)).isEqualTo(42);
    Envelope reply = ((RequestResult.Answered) result).reply();
    assertThat(reply.senderId()).isEqualTo(bobsName);
    assertThat(reply.conversationId()).isEqualTo(conversation);
    assertThat(number(alice.request(question(1), LONG))).isEqualTo(2);
  }

  @Test
  void requestsThatInterleaveGetTheirOwnReplies() throws Exception {
    bob.subscribe(toBob, questions);
    CompletableFuture<RequestResult> first = asking(question(1));
    questions.awaitNumber(1);
    CompletableFuture<RequestResult> second = asking(question(2));
    questions.awaitNumber(2);
    bob.send(OutgoingMessage.answering(questions.messages().get(1), numbered(20)));
    bob.send(OutgoingMessage.answering(questions.messages().get(0), numbered(10)));
    assertThat(number(first.get())).isEqualTo(10);
    assertThat(number(second.get())).isEqualTo(20);
  }

  @Test
  void withoutAReplyTheDeadlineEndsItAndALateReplyDisturbsNothing() throws Exception {
    bob.subscribe(toBob, questions);
    assertThat(alice.request(question(1), SHORT)).isInstanceOf(RequestResult.Unanswered.class);
    questions.awaitNumber(1);
    Envelope late = questions.messages().getFirst();
    bob.send(OutgoingMessage.answering(late, numbered(1)));
    CompletableFuture<RequestResult> next = asking(question(2));
    questions.awaitNumber(2);
    bob.send(OutgoingMessage.answering(late, numbered(1)));
    bob.send(OutgoingMessage.answering(questions.messages().get(1), numbered(2)));
    assertThat(number(next.get())).isEqualTo(2);
  }

  @Test
  void aRequestToNobodyEndsAtOnce() throws Exception {
    OutgoingMessage toNobody = OutgoingMessage.to(names.of("nobody"), numbered(1));
    assertThat(alice.request(toNobody, LONG)).isInstanceOf(RequestResult.Unanswered.class);
  }

  @Test
  void aReplyByHandCountsAndOneWithAnotherCorrelationDoesNot(RedisServer redis) throws Exception {
    bob.subscribe(toBob, questions);
    UUID correlation = UUID.randomUUID();
    CompletableFuture<RequestResult> result = asking(question(1).withCorrelation(correlation));
    questions.awaitNumber(1);
    String channel = "mad.direct." + names.of("alice");
    RawEnvelope reply = RawEnvelope.on(channel).from(bobsName);
    try (RawRedis raw = redis.connect()) {
      raw.publish(channel, "garbage");
      raw.publish(channel, reply.payload("{\"n\":1}").json());
      raw.publish(
          channel,
          reply.payload("{\"n\":2}").withText("correlation_id", correlation.toString()).json());
    }
    assertThat(number(result.get())).isEqualTo(2);
  }

  @Test
  void aRequestToOneselfIsNotItsOwnReply() throws Exception {
    OutgoingMessage toSelf = OutgoingMessage.to(names.of("alice"), numbered(1));
    assertThat(alice.request(toSelf, SHORT)).isInstanceOf(RequestResult.Unanswered.class);
  }

  @Test
  void theSameCorrelationTwiceAtOnceIsRefused() throws Exception {
    bob.subscribe(toBob, questions);
    OutgoingMessage message = question(1).withCorrelation(UUID.randomUUID());
    CompletableFuture<RequestResult> first = asking(message);
    questions.awaitNumber(1);
    assertThat(alice.request(message, LONG))
        .isInstanceOfSatisfying(
            RequestResult.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    bob.send(OutgoingMessage.answering(questions.messages().getFirst(), numbered(5)));
    assertThat(number(first.get())).isEqualTo(5);
  }

  @Test
  void whoAsksForAnotherIsAnsweredOnTheOthersChannel() throws Exception {
    bob.subscribe(toBob, asked -> bob.sendAsync(OutgoingMessage.answering(asked, numbered(5))));
    RequestResult result = alice.request(question(1).from(names.of("ann")), LONG);
    assertThat(number(result)).isEqualTo(5);
    assertThat(((RequestResult.Answered) result).reply().channel())
        .isEqualTo(Channel.direct(names.of("ann")));
  }
}
