package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.testing.ManualTime;
import joshua.testing.bus.InMemoryBus;
import joshua.testing.bus.RecordingFeed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What participants do with each other, on a bus without Redis. */
class ConversationBusTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final long ENVELOPE_LIMIT = 4_096;
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Channel TOPIC = Channel.topic("x");
  private static final ChannelPattern NAME = ChannelPattern.exactly(TOPIC);
  private static final ChannelPattern GLOB = new ChannelPattern("mad.topic.*");
  private static final ChannelPattern TO_BOB = new ChannelPattern("mad.direct.bob");

  private final ManualTime time = new ManualTime(NOON);
  private final InMemoryBus memory = new InMemoryBus(time);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<ConversationBus> open = new ArrayList<>();
  private final ReceiverLog log = new ReceiverLog();
  private ConversationBus alice;
  private ConversationBus bob;

  @BeforeEach
  void join() throws Exception {
    alice = participant("alice").open();
    bob = participant("bob").open();
  }

  private ConversationBus participant(String name) {
    ConversationBus bus =
        new ConversationBus(
            new Participant(name, name + "-instance", "test", NOON),
            memory.link(),
            time,
            ENVELOPE_LIMIT,
            meters,
            ConversationBus::noDetail);
    open.add(bus);
    return bus;
  }

  @AfterEach
  void leave() {
    open.forEach(ConversationBus::close);
  }

  private static ObjectNode numbered(int n) {
    return Json.object().put("n", n);
  }

  private static void assertRefused(SendResult sendResult, ErrorCode code, String message) {
    assertThat(sendResult)
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(code);
              assertThat(refused.refusal().message()).contains(message);
            });
  }

  @Test
  void whatIsSentComesToItsSubscribersAndSaysHowManyThereAre() throws Exception {
    bob.subscribe(NAME, log);
    SendResult sendResult = alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    log.awaitMessages(1);
    Envelope envelope = log.envelopes().getFirst();
    assertThat(sendResult).isEqualTo(new SendResult.Accepted(envelope, 1));
    assertThat(envelope.senderId()).isEqualTo("alice");
    assertThat(envelope.timestamp()).isEqualTo(NOON);
    assertThat(envelope.messageId().version()).isEqualTo(7);
    assertThat(envelope.payload()).isEqualTo(numbered(1));
    assertThat(((SendResult.Accepted) bob.send(OutgoingMessage.to("eve", numbered(2)))).receivers())
        .isZero();
  }

  @Test
  void sendsKeepTheirOrderAndAMessageThatMatchesSeveralPatternsComesOnce() throws Exception {
    bob.subscribe(List.of(NAME, GLOB, new ChannelPattern("mad.t*")), log);
    for (int n = 0; n < 300; n++) {
      alice.sendAsync(OutgoingMessage.on(TOPIC, numbered(n)));
    }
    log.awaitMessages(300);
    assertThat(log.numbers()).isSorted().doesNotHaveDuplicates().hasSize(300);
  }

  @Test
  void anEnvelopeOfTheLimitPassesAndOneByteMoreIsRefused() throws Exception {
    bob.subscribe(NAME, log);
    alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", "")));
    log.awaitMessages(1);
    int overhead = EnvelopeCodec.encode(log.envelopes().getFirst()).length;
    String most = "x".repeat((int) ENVELOPE_LIMIT - overhead);
    assertThat(alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", most))))
        .isInstanceOf(SendResult.Accepted.class);
    assertRefused(
        alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", most + "x"))),
        ErrorCode.TOO_LARGE,
        "The envelope is 4097 bytes, the limit is 4096 (JOSHUA_ENVELOPE_LIMIT).");
    log.awaitMessages(2);
    assertThat(log.envelopes()).hasSize(2);
  }

  @Test
  void aPayloadThatNoReceiverCouldReadIsRefused() {
    assertRefused(
        alice.send(OutgoingMessage.on(TOPIC, Json.object().put("text", "\ud83d"))),
        ErrorCode.INVALID_INPUT,
        "payload must have no half of a surrogate pair in its text");
    assertThat(published("refused")).isEqualTo(1);
  }

  @Test
  void whileTheBusIsAwayASendIsRefusedUnsentAndLaterItWorksAgain() {
    memory.cut();
    assertThat(alice.isUsable()).isFalse();
    SendResult away = alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    assertRefused(away, ErrorCode.BUS_UNAVAILABLE, "is away; try again when it is back");
    assertThat(((SendResult.Refused) away).refusal().details().get("outcome").textValue())
        .isEqualTo("not_sent");
    memory.heal();
    assertThat(alice.isUsable()).isTrue();
    assertThat(alice.send(OutgoingMessage.on(TOPIC, numbered(2))))
        .isInstanceOf(SendResult.Accepted.class);
  }

  @Test
  void subscribersAreToldOfTheGapAndGetWhatIsSentAfterwards() throws Exception {
    bob.subscribe(NAME, log);
    ReceiverLog receiver = new ReceiverLog();
    bob.follow(receiver, List.of(GLOB));
    time.advance(Duration.ofSeconds(5));
    memory.cut();
    receiver.awaitGaps(1);
    memory.heal();
    receiver.awaitGaps(2);
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    log.awaitMessages(1);
    receiver.awaitMessages(1);
    assertThat(receiver.gaps())
        .allMatch(
            gap -> gap.reason() == Gap.Reason.RECONNECT && gap.since().equals(NOON.plusSeconds(5)));
    assertThat(log.gaps()).isNotEmpty();
  }

  @Test
  void whatIsFollowedWhileTheBusIsAwayIsConfirmedWhenItIsBack() throws Exception {
    memory.cut();
    CompletableFuture<Void> confirmation = bob.followAsync(log, List.of(NAME));
    assertThat(confirmation).isNotDone();
    memory.heal();
    bob.awaitConfirmed(confirmation);
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    log.awaitMessages(1);
  }

  @Test
  void aRefusedSubscriptionIsFollowedByNobody() {
    memory.refuse(GLOB);
    assertThatThrownBy(() -> bob.subscribe(List.of(NAME, GLOB), log))
        .isInstanceOf(BusUnavailableException.class)
        .hasMessageContaining("refused the subscription to mad.topic.* (NOPERM");
    assertThat(bob.receiversOf(TOPIC)).isEmpty();
    assertThat(memory.listeners("mad.topic.x")).isZero();
  }

  @Test
  void whoHasUnsubscribedGetsNothingMore() throws Exception {
    Subscription subscription = bob.subscribe(NAME, log);
    ReceiverLog other = new ReceiverLog();
    bob.subscribe(GLOB, other);
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    log.awaitMessages(1);
    subscription.close();
    alice.send(OutgoingMessage.on(TOPIC, numbered(2)));
    other.awaitMessages(2);
    assertThat(log.numbers()).containsExactly(1);
    assertThat(alice.listeners(List.of(TOPIC, Channel.PRESENCE))).containsExactly(0L, 2L);
    assertThat(alice.patterns()).isEqualTo(1);
  }

  @Test
  void aHandlerThatThrowsGetsTheNextMessageAndOneThatHangsHarmsNoOther() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    bob.subscribe(NAME, _ -> new CountDownLatch(1).await());
    bob.subscribe(
        NAME,
        _ -> {
          calls.incrementAndGet();
          throw new IllegalStateException("on purpose");
        });
    bob.subscribe(NAME, log);
    alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
    alice.send(OutgoingMessage.on(TOPIC, numbered(2)));
    log.awaitMessages(2);
    ReceiverLog.soon().until(() -> calls.get() == 2);
  }

  @Test
  void theReplyComesBackToWhoAskedAndToNobodyElse() throws Exception {
    ConversationBus eve = participant("eve").open();
    bob.subscribe(
        TO_BOB,
        question -> {
          eve.send(OutgoingMessage.answering(question, numbered(666)));
          bob.send(OutgoingMessage.answering(question, numbered(2)));
        });
    UUID conversation = UUID.randomUUID();
    RequestOutcome outcome =
        alice.request(OutgoingMessage.to("bob", numbered(1)).conversation(conversation), LONG);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            RequestOutcome.Answered.class,
            answered -> {
              assertThat(answered.envelope().payload()).isEqualTo(numbered(2));
              assertThat(answered.envelope().conversationId()).isEqualTo(conversation);
            });
    // The reply's own subscription is given up again.
    ReceiverLog.soon().until(() -> memory.listeners("mad.direct.alice") == 0);
  }

  @Test
  void aRequestEndsUnansweredAtItsDeadlineOrWhereNoReplyMayCome() throws Exception {
    assertThat(alice.request(OutgoingMessage.to("bob", numbered(1)), Duration.ofMillis(50)))
        .isInstanceOf(RequestOutcome.Unanswered.class);
    assertThat(
            alice.request(
                OutgoingMessage.to("bob", numbered(1)), LONG, sent -> sent.receivers() > 0))
        .isInstanceOf(RequestOutcome.Unanswered.class);
  }

  @Test
  void twoRequestsOfOneCorrelationAtOnceAreRefusedButOneAfterTheOtherAreNot() throws Exception {
    OutgoingMessage question =
        OutgoingMessage.to("bob", numbered(1)).correlation(UUID.randomUUID());
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<RequestOutcome> first = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            first.complete(
                alice.request(
                    question,
                    LONG,
                    _ -> {
                      asked.countDown();
                      return true;
                    }));
          } catch (Exception e) {
            first.completeExceptionally(e);
          }
        });
    asked.await();
    assertThat(alice.request(question, LONG))
        .isInstanceOfSatisfying(
            RequestOutcome.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    bob.send(OutgoingMessage.to("alice", numbered(3)).correlation(question.correlationId().get()));
    assertThat(first.get()).isInstanceOf(RequestOutcome.Answered.class);
    assertThat(alice.request(question, Duration.ofMillis(10)))
        .isInstanceOf(RequestOutcome.Unanswered.class);
  }

  @Test
  void itJoinsWithAHeartbeatAndLeavesAtItsClose() throws Exception {
    alice.subscribe(List.of(ChannelPattern.ALL), log);
    ConversationBus carol = participant("carol").open();
    ReceiverLog.soon().until(() -> eventsOf("carol").size() >= 2);
    assertThat(eventsOf("carol")).startsWith("join", "heartbeat");
    carol.close();
    ReceiverLog.soon().until(() -> eventsOf("carol").contains("leave"));
    assertThat(eventsOf("carol").getLast()).isEqualTo("leave");
    assertThat(carol.isUsable()).isFalse();
    assertRefused(
        carol.send(OutgoingMessage.on(TOPIC, numbered(1))), ErrorCode.BUS_UNAVAILABLE, "is away");
    carol.close();
  }

  private List<String> eventsOf(String sender) {
    return log.envelopes().stream()
        .filter(envelope -> envelope.senderId().equals(sender))
        .map(envelope -> envelope.payload().path("event").asText("heartbeat"))
        .toList();
  }

  @Test
  void openedUnannouncedItSaysNothingOfItself() throws Exception {
    alice.subscribe(ChannelPattern.ALL, log);
    ConversationBus carol = participant("carol").openUnannounced();
    carol.send(OutgoingMessage.on(TOPIC, numbered(1)));
    carol.close();
    alice.send(OutgoingMessage.on(TOPIC, numbered(2)));
    ReceiverLog.soon().until(() -> log.numbers().contains(2));
    assertThat(eventsOf("carol")).hasSize(1);
  }

  @Test
  void aJoinThatFailsLeavesNothingBehind() {
    memory.refuse(ChannelPattern.exactly(Channel.PRESENCE));
    ConversationBus carol = participant("carol");
    assertThatThrownBy(carol::open).isInstanceOf(BusUnavailableException.class);
    assertThat(carol.isUsable()).isFalse();
    memory.cut();
    assertThatThrownBy(() -> participant("dave").open())
        .isInstanceOf(BusUnavailableException.class);
  }

  @Test
  void aFeedOfRawTrafficSeesTheBytesThatWereSent() throws Exception {
    RecordingFeed feed = new RecordingFeed();
    try (BusLink third = memory.link()) {
      third.open(feed);
      third.want(NAME);
      alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
      feed.awaitEvents("copy", 1);
      assertThat(feed.copies().getFirst())
          .contains("\"sender_id\":\"alice\"", "\"payload\":{\"n\":1}");
    }
  }

  private double published(String outcome) {
    return meters.get("joshua.bus.published").tag("outcome", outcome).counter().count();
  }
}
