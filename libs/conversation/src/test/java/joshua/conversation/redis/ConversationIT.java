package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.DeadLetters.DeadLetter;
import joshua.conversation.Envelope;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.ReceivedMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.conversation.Subscription;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConversationIT {
  private static final Channel TOPIC = Channel.topic("x");
  private static final ChannelPattern ALL_TOPICS = new ChannelPattern("mad.topic.*");

  private BusParticipants participants;
  private ConversationBus alice;
  private ConversationBus bob;
  private final RecordingHandler handler = new RecordingHandler();

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

  private static ChannelPattern exactly(Channel channel) {
    return ChannelPattern.exactly(channel);
  }

  @Test
  void whatIsSentOnAChannelComesToItsSubscribers() throws Exception {
    bob.subscribe(exactly(TOPIC), handler);
    SendResult sendResult = alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    handler.awaitMessages(1);
    Envelope envelope = handler.messages().getFirst();
    assertThat(sendResult).isEqualTo(new SendResult.Accepted(envelope, 1));
    assertThat(envelope.senderId()).isEqualTo("alice");
    assertThat(envelope.recipientId()).isEmpty();
    assertThat(envelope.channel()).isEqualTo(TOPIC);
    assertThat(envelope.messageId().version()).isEqualTo(7);
    assertThat(envelope.payload()).isEqualTo(numbered(1));
  }

  @Test
  void whatMatchesAPatternComesTooAndWhatDoesNotDoesNot() throws Exception {
    bob.subscribe(new ChannelPattern("mad.topic.a?.#"), handler);
    alice.send(OutgoingMessage.on(Channel.topic("ab"), numbered(1)));
    alice.send(OutgoingMessage.on(Channel.topic("ab.c"), numbered(2)));
    alice.send(OutgoingMessage.on(Channel.topic("abb.c"), numbered(3)));
    alice.send(OutgoingMessage.on(Channel.topic("ax.c.d"), numbered(4)));
    handler.awaitMessages(2);
    assertThat(handler.numbers()).containsExactly(2, 4);
  }

  @Test
  void aDirectMessageNamesItsRecipientAndABroadcastComesToEverybody() throws Exception {
    RecordingHandler alices = new RecordingHandler();
    alice.subscribe(exactly(Channel.BROADCAST), alices);
    bob.subscribe(List.of(exactly(Channel.direct("bob")), exactly(Channel.BROADCAST)), handler);
    alice.send(OutgoingMessage.to("bob", numbered(1)));
    alice.send(OutgoingMessage.toAll(numbered(2)));
    handler.awaitMessages(2);
    alices.awaitMessages(1);
    assertThat(handler.messages().getFirst().recipientId()).contains("bob");
    assertThat(handler.messages().getLast().recipientId()).isEmpty();
    assertThat(alices.numbers()).containsExactly(2);
  }

  @Test
  void idsAreGeneratedWhenAbsentAndKeptWhenGiven() throws Exception {
    bob.subscribe(exactly(TOPIC), handler);
    UUID message = UUID.randomUUID();
    UUID conversation = UUID.randomUUID();
    UUID correlation = UUID.randomUUID();
    alice.send(
        OutgoingMessage.on(TOPIC, Json.object())
            .message(message)
            .conversation(conversation)
            .correlation(correlation)
            .from("somebody")
            .recipient("else"));
    alice.send(OutgoingMessage.on(TOPIC, Json.object()));
    handler.awaitMessages(2);
    Envelope given = handler.messages().getFirst();
    assertThat(List.of(given.messageId(), given.conversationId(), given.correlationId()))
        .containsExactly(message, conversation, correlation);
    assertThat(given.senderId()).isEqualTo("somebody");
    assertThat(given.recipientId()).isEqualTo(Optional.of("else"));
    Envelope generated = handler.messages().getLast();
    assertThat(generated.conversationId()).isNotEqualTo(generated.correlationId());
    assertThat(generated.payload()).isEmpty();
  }

  @Test
  void aMessageThatMatchesSeveralPatternsOfAReceiverComesOnceAndSentTwiceItComesTwice()
      throws Exception {
    bob.subscribe(
        List.of(exactly(TOPIC), ALL_TOPICS, ChannelPattern.ALL, new ChannelPattern("mad.t*x")),
        handler);
    RecordingHandler other = new RecordingHandler();
    bob.subscribe(ALL_TOPICS, other);
    OutgoingMessage outgoingMessage =
        OutgoingMessage.on(TOPIC, numbered(1)).message(UUID.randomUUID());
    SendResult first = alice.send(outgoingMessage);
    alice.send(outgoingMessage);
    alice.send(OutgoingMessage.on(TOPIC, numbered(2)));
    other.awaitMessages(3);
    await().until(() -> handler.numbers().contains(2));
    // Redis itself reports a copy for each subscription.
    assertThat(((SendResult.Accepted) first).receivers()).isEqualTo(4);
    assertThat(handler.numbers().stream().filter(n -> n > 0)).containsExactly(1, 1, 2);
    assertThat(other.numbers()).containsExactly(1, 1, 2);
  }

  @Test
  void aHandWrittenEnvelopeIsAsGoodAsAnyAndPassesThroughWhole() throws Exception {
    CountDownLatch came = new CountDownLatch(1);
    StringBuilder body = new StringBuilder();
    bob.follow(
        new MessageReceiver() {
          @Override
          public void deliver(ReceivedMessage receivedMessage) {
            body.append(
                new String(receivedMessage.body(), java.nio.charset.StandardCharsets.UTF_8));
            came.countDown();
          }

          @Override
          public void missed(Gap gap) {}
        },
        List.of(ALL_TOPICS));
    String json = " " + RawEnvelope.on("mad.topic.x").with("more", "[1.0]").json() + "\n";
    try (RawRedis raw = participants.redis().raw()) {
      assertThat(raw.publish("mad.topic.x", json)).isEqualTo(1);
    }
    came.await();
    assertThat(body).hasToString(json);
  }

  @Test
  void malformedTrafficReachesNobodyIsCountedOnceAndIsKeptWithItsReason() throws Exception {
    bob.subscribe(List.of(ALL_TOPICS, ChannelPattern.ALL, new ChannelPattern("mad.*x*")), handler);
    try (RawRedis raw = participants.redis().raw()) {
      raw.publish("mad.topic.x", "garbage");
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.y").json());
      raw.publish("mad.töpic x", RawEnvelope.on("mad.töpic x").json());
      raw.publish("mad.topic.x", new byte[] {(byte) 0xff});
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").payload("{\"n\":7}").json());
    }
    await().until(() -> handler.numbers().contains(7));
    assertThat(bob.deadLetters().list().stream().map(DeadLetter::reason))
        .containsExactly(
            "the message is not valid JSON at line 1, column 1",
            "channel must be the channel it was published on",
            "the channel's name " + Channel.RULE,
            "the message is not valid JSON in UTF-8");
    assertThat(bob.deadLetters().list().get(2).channel()).isEqualTo("mad.töpic x");
    assertThat(participants.counted("joshua.bus.malformed")).isEqualTo(4);
  }

  @Test
  @TriesLimit("bus.envelope")
  void anEnvelopeBeyondTheLimitIsRefusedAtTheSenderAndIsNoneAtTheReceiver() throws Exception {
    bob.subscribe(ALL_TOPICS, handler);
    String big = "x".repeat((int) BusParticipants.ENVELOPE_LIMIT);
    SendResult sendResult = alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", big)));
    assertThat(sendResult)
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.TOO_LARGE);
              assertThat(refused.refusal().message())
                  .startsWith("The envelope is 65")
                  .contains("the limit is 65536 (JOSHUA_ENVELOPE_LIMIT)");
            });
    RawEnvelope written = RawEnvelope.on("mad.topic.x").payload("{\"t\":\"" + big + "\"}");
    try (RawRedis raw = participants.redis().raw()) {
      raw.publish("mad.topic.x", written.json());
    }
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    handler.awaitMessages(1);
    assertThat(handler.numbers()).containsExactly(1);
    assertThat(bob.deadLetters().list().getFirst().reason())
        .isEqualTo("the message must be at most 65536 bytes; it is " + written.json().length());
  }

  @Test
  void anEnvelopeOfExactlyTheLimitPasses() throws Exception {
    bob.subscribe(ALL_TOPICS, handler);
    OutgoingMessage empty = OutgoingMessage.on(TOPIC, Json.object().put("text", ""));
    alice.send(empty);
    handler.awaitMessages(1);
    int overhead = joshua.conversation.EnvelopeCodec.encode(handler.messages().getFirst()).length;
    String most = "x".repeat((int) BusParticipants.ENVELOPE_LIMIT - overhead);
    assertThat(alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", most))))
        .isInstanceOf(SendResult.Accepted.class);
    assertThat(alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", most + "x"))))
        .isInstanceOf(SendResult.Refused.class);
    handler.awaitMessages(2);
  }

  @Test
  void aPayloadThatNobodyCouldReadIsRefusedWithTheRule() throws Exception {
    SendResult sendResult =
        alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", "\ud83d")));
    assertThat(sendResult)
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INVALID_INPUT);
              assertThat(refused.refusal().message())
                  .isEqualTo("payload must have no half of a surrogate pair in its text");
            });
  }

  @Test
  void aHandlerThatThrowsAndOneThatHangsHarmNoOther() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    bob.subscribe(ALL_TOPICS, envelope -> hanging.await());
    bob.subscribe(
        new ChannelPattern("mad.topic.x"),
        envelope -> {
          if (envelope.payload().get("n").asInt() % 20 == 0) {
            throw new IllegalStateException("on purpose");
          }
        });
    bob.follow(new Thrower(), List.of(ALL_TOPICS));
    bob.subscribe(ALL_TOPICS, handler);
    for (int n = 0; n < 50; n++) {
      alice.sendAsync(OutgoingMessage.on(TOPIC, numbered(n)));
    }
    handler.awaitMessages(50);
    assertThat(handler.numbers()).isSorted().doesNotHaveDuplicates();
  }

  private static final class Thrower implements MessageReceiver {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public void deliver(ReceivedMessage receivedMessage) {
      if (calls.incrementAndGet() == 1) {
        throw new IllegalStateException("on purpose");
      } else if (calls.get() == 2) {
        throw new AssertionError("an error, on purpose");
      }
    }

    @Override
    public void missed(Gap gap) {}
  }

  @Test
  void whoHasUnsubscribedGetsNothingMoreAndRedisSubscriptionsGoWithTheLastFollower()
      throws Exception {
    RecordingHandler other = new RecordingHandler();
    Subscription ones = bob.subscribe(exactly(TOPIC), handler);
    Subscription others = bob.subscribe(exactly(TOPIC), other);
    ones.close();
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    other.awaitMessages(1);
    assertThat(handler.messages()).isEmpty();
    try (RawRedis raw = participants.redis().raw()) {
      assertThat(raw.subscribers("mad.topic.x")).isEqualTo(1);
      others.close();
      await().until(() -> raw.subscribers("mad.topic.x") == 0);
    }
    assertThat(
            ((SendResult.Accepted) alice.send(OutgoingMessage.on(TOPIC, numbered(2)))).receivers())
        .isZero();
  }

  @Test
  void sendsReachRedisInTheOrderOfCalls() throws Exception {
    try (RawListener listener = RawListener.on(participants.redis(), "mad.topic.*")) {
      for (int n = 0; n < 500; n++) {
        alice.sendAsync(OutgoingMessage.on(TOPIC, numbered(n)));
      }
      await().until(() -> listener.on("mad.topic.x").size() == 500);
      for (int n = 0; n < 500; n++) {
        assertThat(listener.on("mad.topic.x").get(n)).contains("\"payload\":{\"n\":" + n + "}");
      }
    }
  }

  @Test
  void aSubscriptionGivenUpAndTakenAgainAtOnceIsThereWhenItIsConfirmed() throws Exception {
    ChannelPattern pattern = new ChannelPattern("mad.topic.again.*");
    for (int n = 0; n < 200; n++) {
      bob.subscribe(pattern, envelope -> {}).close();
      RecordingHandler again = new RecordingHandler();
      try (Subscription _ = bob.subscribe(pattern, again)) {
        alice.send(OutgoingMessage.on(Channel.topic("again.x"), numbered(n)));
        again.awaitMessages(1);
        assertThat(again.numbers()).containsExactly(n);
      }
    }
  }

  @Test
  void whoListensIsToldByRedis() throws Exception {
    bob.subscribe(exactly(TOPIC), handler);
    long patterns = alice.patterns();
    bob.subscribe(ALL_TOPICS, handler);
    assertThat(alice.patterns()).isEqualTo(patterns + 1);
    assertThat(alice.listeners(List.of(Channel.topic("nobody"), TOPIC))).containsExactly(0L, 1L);
  }

  @Test
  void whoListensIsNotKnownWithoutAConnection() {
    alice.close();
    assertThatThrownBy(() -> alice.patterns()).isInstanceOf(BusUnavailableException.class);
    assertThatThrownBy(() -> alice.listeners(List.of(TOPIC)))
        .isInstanceOf(BusUnavailableException.class);
  }
}
