package joshua.integration;

import static joshua.integration.RecordingHandler.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import joshua.conversation.BusListener;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.SendResult;
import joshua.conversation.Subscription;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two participants send and receive, ask and answer (+JC-10). */
@ExtendWith(SharedRedis.class)
class ConversationTest {
  /** Longer than any test. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private final TestNames names = new TestNames();
  private final Channel topic = Channel.topic(names.of("x"));
  private final ChannelPattern allTopics = new ChannelPattern("mad.topic." + names.of("*"));
  private final ChannelPattern toBob = exactly(Channel.direct(names.of("bob")));
  private final RecordingHandler handler = new RecordingHandler();
  @AutoClose private TestBus participants;
  private ConversationBus alice;
  private ConversationBus bob;

  @BeforeEach
  void join(RedisServer redis) throws Exception {
    participants = new TestBus(redis);
    alice = participants.join(names.of("alice"));
    bob = participants.join(names.of("bob"));
  }

  private static ChannelPattern exactly(Channel channel) {
    return ChannelPattern.exactly(channel);
  }

  private static BusListener listener(BiConsumer<String, byte[]> onMessage) {
    return new BusListener() {
      @Override
      public void onMessage(String channel, byte[] body) {
        onMessage.accept(channel, body);
      }

      @Override
      public void onGap(Gap gap) {}
    };
  }

  @Test
  void whatIsSentComesToWhoFollowsTheChannelOrAPatternOfIt() throws Exception {
    RecordingHandler byPattern = new RecordingHandler();
    bob.subscribe(exactly(topic), handler);
    bob.subscribe(new ChannelPattern("mad.topic." + names.of("?")), byPattern);
    SendResult result = alice.send(OutgoingMessage.on(topic, numbered(1)));
    alice.send(OutgoingMessage.on(Channel.topic(names.of("xy")), numbered(2)));
    alice.send(OutgoingMessage.on(topic, numbered(3)));
    handler.awaitNumber(3);
    byPattern.awaitNumber(3);
    assertThat(handler.numbers()).containsExactly(1, 3);
    assertThat(byPattern.numbers()).containsExactly(1, 3);
    Envelope envelope = handler.messages().getFirst();
    assertThat(result).isEqualTo(new SendResult.Accepted(envelope, 2));
    assertThat(envelope.senderId()).isEqualTo(names.of("alice"));
    assertThat(envelope.recipientId()).isEmpty();
    assertThat(envelope.messageId().version()).isEqualTo(7);
    assertThat(envelope.conversationId()).isNotEqualTo(envelope.correlationId());
  }

  @Test
  void aDirectMessageNamesItsRecipientAndABroadcastComesToEverybody() throws Exception {
    RecordingHandler alices = new RecordingHandler();
    String bobsName = names.of("bob");
    alice.subscribe(exactly(Channel.BROADCAST), alices);
    RecordingHandler direct = new RecordingHandler();
    bob.subscribe(toBob, direct);
    bob.subscribe(exactly(Channel.BROADCAST), handler);
    int number = topic.hashCode();
    alice.send(OutgoingMessage.to(bobsName, numbered(1)));
    alice.send(OutgoingMessage.on(Channel.BROADCAST, numbered(number)));
    handler.awaitNumber(number);
    alices.awaitNumber(number);
    direct.awaitNumber(1);
    assertThat(direct.messages().getFirst().recipientId()).contains(bobsName);
    assertThat(handler.messages().getLast().recipientId()).isEmpty();
  }

  @Test
  void whatIsPublishedTwiceComesTwiceAlsoToWhoFollowsItInSeveralWays(RedisServer redis)
      throws Exception {
    RecordingHandler byPattern = new RecordingHandler();
    bob.subscribe(exactly(topic), handler);
    bob.subscribe(allTopics, byPattern);
    String json = RawEnvelope.on(topic.name()).payload("{\"n\":1}").json();
    try (RawRedis raw = redis.connect()) {
      // Redis itself counts a copy for each subscription.
      assertThat(raw.publish(topic.name(), json)).isEqualTo(2);
      raw.publish(topic.name(), json);
    }
    alice.send(OutgoingMessage.on(topic, numbered(2)));
    handler.awaitNumber(2);
    byPattern.awaitNumber(2);
    assertThat(handler.numbers()).containsExactly(1, 1, 2);
    assertThat(byPattern.numbers()).containsExactly(1, 1, 2);
  }

  @Test
  void aListenerThatFollowsSomethingRepeatedlyIsToldOnceUntilItsLastEnd() throws Exception {
    List<Integer> numbers = new CopyOnWriteArrayList<>();
    BusListener listener =
        listener((_, body) -> numbers.add(Json.parseTrusted(body).at("/payload/n").asInt()));
    Subscription first = bob.follow(exactly(topic), listener);
    Subscription second = bob.follow(exactly(topic), listener);
    bob.subscribe(allTopics, handler);
    alice.send(OutgoingMessage.on(topic, numbered(1)));
    handler.awaitNumber(1);
    first.close();
    first.close();
    alice.send(OutgoingMessage.on(topic, numbered(2)));
    Await.until("one is left", () -> numbers.contains(2));
    second.close();
    alice.send(OutgoingMessage.on(topic, numbered(3)));
    handler.awaitNumber(3);
    assertThat(numbers).containsExactly(1, 2);
  }

  @Test
  void aListenerGetsTheVeryBytesThatWerePublished(RedisServer redis) throws Exception {
    CompletableFuture<String> came = new CompletableFuture<>();
    bob.follow(
        allTopics,
        listener(
            (channel, body) -> came.complete(channel + new String(body, StandardCharsets.UTF_8))));
    String json = " " + RawEnvelope.on(topic.name()).with("more", "[1.0]").json() + "\n";
    try (RawRedis raw = redis.connect()) {
      assertThat(raw.publish(topic.name(), json)).isEqualTo(1);
    }
    assertThat(came.get()).isEqualTo(topic.name() + json);
  }

  @Test
  void anEnvelopeIsAtMostOneMebibyte(RedisServer redis) throws Exception {
    bob.subscribe(allTopics, handler);
    alice.send(OutgoingMessage.on(topic, numbered(1).put("text", "")));
    handler.awaitNumber(1);
    int overhead = EnvelopeCodec.encode(handler.messages().getFirst()).length;
    String most = "x".repeat(EnvelopeCodec.MAX_BYTES - overhead);
    assertThat(alice.send(OutgoingMessage.on(topic, numbered(2).put("text", most))))
        .isInstanceOf(SendResult.Accepted.class);
    assertRefused(
        numbered(3).put("text", most + "x"),
        ErrorCode.TOO_LARGE,
        "The envelope would be 1048577 bytes, and 1048576 is the most.");
    RawEnvelope large =
        RawEnvelope.on(topic.name()).payload("{\"t\":\"" + most + " ".repeat(100) + "\"}");
    try (RawRedis raw = redis.connect()) {
      raw.publish(topic.name(), large.json());
    }
    alice.send(OutgoingMessage.on(topic, numbered(4)));
    handler.awaitNumber(4);
    assertThat(handler.numbers()).containsExactly(1, 2, 4);
  }

  @Test
  void aPayloadThatNobodyCouldReadIsRefused() {
    assertRefused(
        numbered(1).put("text", "\ud83d"), ErrorCode.INVALID_INPUT, "half of a surrogate pair");
    var deep = Json.object();
    for (int i = 0; i < Json.MAX_DEPTH; i++) {
      deep = Json.object().set("a", deep);
    }
    assertRefused(deep, ErrorCode.INVALID_INPUT, "nested more than 63 levels deep");
  }

  private void assertRefused(ObjectNode payload, ErrorCode code, String rule) {
    assertThat(alice.send(OutgoingMessage.on(topic, payload)))
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(code);
              assertThat(refused.refusal().message()).contains(rule);
            });
  }

  @Test
  void aHandlerThatFailsAndOneThatHangsHarmNoOther() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    bob.subscribe(allTopics, envelope -> hanging.await());
    bob.subscribe(
        allTopics,
        envelope -> {
          throw new IllegalStateException("on purpose");
        });
    bob.follow(
        allTopics,
        listener((_, _) -> {
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("on purpose");
          }
          throw new AssertionError("on purpose");
        }));
    bob.subscribe(allTopics, handler);
    for (int n = 0; n < 50; n++) {
      alice.sendAsync(OutgoingMessage.on(topic, numbered(n)));
    }
    handler.awaitNumber(49);
    assertThat(handler.numbers()).hasSize(50).isSorted();
    assertThat(calls).hasValue(50);
  }

  @Test
  void whoUnsubscribesGetsNothingMoreAndRedisHasNoSubscriptionLeftOfIt(RedisServer redis)
      throws Exception {
    RecordingHandler other = new RecordingHandler();
    Subscription one = bob.subscribe(exactly(topic), handler);
    Subscription another = bob.subscribe(exactly(topic), other);
    one.close();
    alice.send(OutgoingMessage.on(topic, numbered(1)));
    other.awaitNumber(1);
    assertThat(handler.messages()).isEmpty();
    assertThat(subscribers()).isEqualTo(1);
    another.close();
    Await.value("subscribers", this::subscribers, number -> number == 0);
    SendResult result = alice.send(OutgoingMessage.on(topic, numbered(2)));
    assertThat(((SendResult.Accepted) result).receivers()).isZero();
  }

  private long subscribers() {
    Set<String> channels = Set.of(topic.name());
    return alice.connection().transport().subscriberCounts(channels).join().get(topic.name());
  }

  @Test
  void aSubscriptionGivenUpAndTakenAgainAtOnceIsThere() throws Exception {
    for (int n = 0; n < 200; n++) {
      bob.subscribe(allTopics, envelope -> {}).close();
      RecordingHandler again = new RecordingHandler();
      Subscription subscription = bob.subscribe(allTopics, again);
      alice.send(OutgoingMessage.on(topic, numbered(n)));
      again.awaitNumber(n);
      assertThat(again.numbers()).containsExactly(n);
      subscription.close();
    }
  }

  @Test
  void whatIsSentBeforeTheCloseIsWritten() throws Exception {
    bob.subscribe(exactly(topic), handler);
    for (int n = 0; n < 500; n++) {
      alice.sendAsync(OutgoingMessage.on(topic, numbered(n)));
    }
    alice.close();
    handler.awaitNumber(499);
    assertThat(handler.numbers()).hasSize(500);
  }

  // --- Requests -----------------------------------------------------------------------------

  private OutgoingMessage question(int number) {
    return OutgoingMessage.to(names.of("bob"), numbered(number));
  }

  private Future<RequestResult> asking(OutgoingMessage message) {
    FutureTask<RequestResult> asking = new FutureTask<>(() -> alice.request(message, LONG));
    Thread.startVirtualThread(asking);
    return asking;
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
    assertThat(reply.senderId()).isEqualTo(names.of("bob"));
    assertThat(reply.conversationId()).isEqualTo(conversation);
    assertThat(number(alice.request(question(1), LONG))).isEqualTo(2);
  }

  @Test
  void withoutAReplyTheDeadlineEndsItAndALateReplyDisturbsNothing() throws Exception {
    bob.subscribe(toBob, handler);
    assertThat(alice.request(question(1), Duration.ofMillis(200)))
        .isInstanceOf(RequestResult.Unanswered.class);
    handler.awaitNumber(1);
    Envelope late = handler.messages().getFirst();
    bob.send(OutgoingMessage.answering(late, numbered(1)));
    Future<RequestResult> next = asking(question(2));
    handler.awaitNumber(2);
    bob.send(OutgoingMessage.answering(late, numbered(1)));
    bob.send(OutgoingMessage.answering(handler.messages().get(1), numbered(2)));
    assertThat(number(next.get())).isEqualTo(2);
  }

  @Test
  void aReplyByHandCountsAndOneWithAnotherCorrelationDoesNot(RedisServer redis) throws Exception {
    bob.subscribe(toBob, handler);
    UUID correlation = UUID.randomUUID();
    Future<RequestResult> result = asking(question(1).withCorrelation(correlation));
    handler.awaitNumber(1);
    String channel = "mad.direct." + names.of("alice");
    RawEnvelope reply = RawEnvelope.on(channel).from(names.of("bob"));
    RawEnvelope correlated = reply.withText("correlation_id", correlation.toString());
    try (RawRedis raw = redis.connect()) {
      raw.publish(channel, "garbage");
      raw.publish(channel, reply.payload("{\"n\":1}").json());
      raw.publish(channel, correlated.payload("{\"n\":2}").json());
    }
    assertThat(number(result.get())).isEqualTo(2);
  }

  @Test
  void theSameCorrelationTwiceAtOnceIsRefused() throws Exception {
    bob.subscribe(toBob, handler);
    OutgoingMessage message = question(1).withCorrelation(UUID.randomUUID());
    Future<RequestResult> first = asking(message);
    handler.awaitNumber(1);
    assertThat(alice.request(message, LONG))
        .isInstanceOfSatisfying(
            RequestResult.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    bob.send(OutgoingMessage.answering(handler.messages().getFirst(), numbered(5)));
    assertThat(number(first.get())).isEqualTo(5);
  }
}
