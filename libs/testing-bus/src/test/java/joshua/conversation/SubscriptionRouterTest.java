package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.ManualTime;
import joshua.testing.bus.InMemoryBus;
import joshua.testing.bus.RecordingFeed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The router between a link and its receivers. What the link brings is handed to the router by the
 * test itself, step by step; the link says what the router asked it for.
 */
class SubscriptionRouterTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final ChannelPattern NAME = new ChannelPattern("mad.topic.x");
  private static final ChannelPattern GLOB = new ChannelPattern("mad.topic.*");
  private static final ChannelPattern OTHER = new ChannelPattern("mad.topic.y");
  private static final String CHANNEL = "mad.topic.x";

  private final ManualTime time = new ManualTime(NOON);
  private final InMemoryBus bus = new InMemoryBus(time);
  private final BusLink link = bus.link();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final DeadLetters deadLetters = new DeadLetters(time);
  private final ReceiverLog ann = new ReceiverLog();
  private final ReceiverLog bob = new ReceiverLog();
  private SubscriptionRouter router;

  @BeforeEach
  void open() throws Exception {
    link.open(new RecordingFeed());
    router = routerOf(1 << 20);
  }

  private SubscriptionRouter routerOf(long envelopeLimit) {
    return new SubscriptionRouter(link, new TrafficCounters(meters), deadLetters, envelopeLimit);
  }

  @AfterEach
  void close() {
    link.close();
  }

  private static byte[] body(int n) {
    return body(n, "");
  }

  private static byte[] body(int n, String text) {
    return EnvelopeCodec.encode(
        new Envelope(
            UUID.randomUUID(),
            UUID.randomUUID(),
            UUID.randomUUID(),
            NOON,
            "eve",
            Optional.empty(),
            Channel.topic("x"),
            Json.object().put("n", n).put("text", text),
            Map.of()));
  }

  /** Follows, and confirms each pattern by the number that the link gives its request. */
  private void follow(MessageReceiver receiver, ChannelPattern... patterns) {
    CompletableFuture<Void> confirmation = router.follow(receiver, List.of(patterns));
    for (ChannelPattern pattern : patterns) {
      router.subscribed(pattern, link.want(pattern));
    }
    assertThat(confirmation).isCompleted();
  }

  /** Redis' copies of one message for these subscriptions. */
  private void copies(int n, ChannelPattern... subscriptions) {
    byte[] body = body(n);
    for (ChannelPattern subscription : subscriptions) {
      router.copy(subscription, CHANNEL, body);
    }
  }

  private static void assertRefused(CompletableFuture<Void> confirmation, String message) {
    assertThat(confirmation)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(BusUnavailableException.class)
        .withMessageContaining(message);
  }

  @Test
  void aFollowerIsConfirmedWhenAllItsPatternsAre() {
    CompletableFuture<Void> confirmation = router.follow(ann, List.of(NAME, GLOB));
    assertThat(bus.listeners(CHANNEL)).isEqualTo(1);
    assertThat(bus.patterns()).isEqualTo(1);
    router.subscribed(NAME, link.want(NAME));
    assertThat(confirmation).isNotDone();
    router.subscribed(GLOB, link.want(GLOB));
    assertThat(confirmation).isCompleted();
  }

  @Test
  void theConfirmationOfAnEarlierRequestIsNotThatOfALater() {
    CompletableFuture<Void> first = router.follow(ann, List.of(NAME));
    long wish = link.want(NAME);
    router.unfollow(ann, List.of(NAME));
    CompletableFuture<Void> second = router.follow(ann, List.of(NAME));
    router.subscribed(NAME, wish);
    router.unsubscribed(NAME);
    assertRefused(first, "given up before Redis at memory had confirmed it");
    assertThat(second).isNotDone();
    router.subscribed(NAME, link.want(NAME));
    assertThat(second).isCompleted();
  }

  @Test
  void aSecondFollowerSharesTheSubscriptionAndItEndsWithTheLast() {
    CompletableFuture<Void> first = router.follow(ann, List.of(NAME));
    CompletableFuture<Void> second = router.follow(bob, List.of(NAME));
    long wish = link.want(NAME);
    router.subscribed(NAME, wish);
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(router.follow(new ReceiverLog(), List.of(NAME))).isCompleted();
    copies(1, NAME);
    router.unfollow(ann, List.of(NAME, OTHER));
    copies(2, NAME);
    assertThat(ann.numbers()).containsExactly(1);
    assertThat(bob.numbers()).containsExactly(1, 2);
    assertThat(bus.listeners(CHANNEL)).isEqualTo(1);
  }

  @Test
  void whoUnfollowsLastEndsTheSubscription() {
    follow(ann, NAME, GLOB);
    router.unfollow(ann, List.of(NAME, GLOB));
    assertThat(bus.listeners(CHANNEL)).isZero();
    assertThat(bus.patterns()).isZero();
    copies(1, NAME, GLOB);
    assertThat(ann.numbers()).isEmpty();
    router.unfollow(ann, List.of(NAME));
  }

  @Test
  void ofTheCopiesOfAMessageOneIsDeliveredToEachReceiver() {
    follow(ann, GLOB, NAME, ChannelPattern.ALL);
    follow(bob, ChannelPattern.ALL);
    copies(1, NAME, ChannelPattern.ALL, GLOB);
    assertThat(ann.numbers()).containsExactly(1);
    assertThat(bob.numbers()).containsExactly(1);
    assertThat(counted("joshua.bus.received")).isEqualTo(1);
    assertThat(router.receiversOf(Channel.topic("x"))).containsExactlyInAnyOrder(ann, bob);
  }

  @Test
  void theCopyThatIsTakenIsOfASubscriptionThatRedisHasConfirmed() {
    follow(ann, GLOB);
    router.follow(bob, List.of(NAME));
    copies(1, GLOB);
    router.subscribed(NAME, link.want(NAME));
    copies(2, NAME, GLOB);
    router.unfollow(bob, List.of(NAME));
    copies(3, NAME, GLOB);
    router.unsubscribed(NAME);
    copies(4, GLOB);
    assertThat(ann.numbers()).containsExactly(1, 2, 3, 4);
    assertThat(bob.numbers()).containsExactly(1, 2);
  }

  /** Takes nothing by a glob, like a client that may not read direct messages of others. */
  private static final class NamesOnly implements MessageReceiver {
    private boolean choosy = true;

    @Override
    public void deliver(ReceivedMessage receivedMessage) {}

    @Override
    public void missed(Gap gap) {}

    @Override
    public boolean takes(ChannelPattern glob, String channel) {
      return !choosy;
    }
  }

  @Test
  void aCopyThatNoFollowerTakesIsUnusedUntilItReconsiders() {
    NamesOnly receiver = new NamesOnly();
    follow(receiver, GLOB);
    assertThat(router.receiversOf(Channel.topic("x"))).isEmpty();
    assertThat(router.unusedCopies(Channel.topic("x"))).isEqualTo(1);
    receiver.choosy = false;
    assertThat(router.unusedCopies(Channel.topic("x"))).isEqualTo(1);
    router.reconsider(List.of(GLOB, NAME));
    assertThat(router.receiversOf(Channel.topic("x"))).containsExactly(receiver);
    assertThat(router.unusedCopies(Channel.topic("x"))).isZero();
  }

  @Test
  void whatIsNoEnvelopeIsADeadLetterAndReachesNoReceiver() {
    follow(ann, NAME);
    router.copy(NAME, CHANNEL, "garbage".getBytes(StandardCharsets.UTF_8));
    router.copy(NAME, CHANNEL, new byte[0]);
    assertThat(ann.envelopes()).isEmpty();
    assertThat(counted("joshua.bus.malformed")).isEqualTo(2);
    assertThat(deadLetters.list().getFirst())
        .isEqualTo(
            new DeadLetters.DeadLetter(
                CHANNEL, "garbage", "the message is not valid JSON at line 1, column 1", NOON));
  }

  @Test
  void anEnvelopeOfTheLimitPassesAndOneByteMoreIsADeadLetter() {
    byte[] most = body(1, "x".repeat(100));
    router = routerOf(most.length);
    follow(ann, NAME);
    router.copy(NAME, CHANNEL, most);
    router.copy(NAME, CHANNEL, body(2, "x".repeat(101)));
    assertThat(ann.numbers()).containsExactly(1);
    assertThat(deadLetters.list())
        .singleElement()
        .satisfies(letter ->
            assertThat(letter.reason())
                .isEqualTo(
                    "the message must be at most %d bytes; it is %d"
                        .formatted(most.length, most.length + 1)));
  }

  @Test
  void aReceiverThatFailsOnAMessageOrAGapHarmsNoOther() {
    MessageReceiver failing =
        new MessageReceiver() {
          @Override
          public void deliver(ReceivedMessage receivedMessage) {
            throw new AssertionError("on purpose");
          }

          @Override
          public void missed(Gap gap) {
            throw new IllegalStateException("on purpose");
          }
        };
    follow(failing, NAME);
    follow(ann, NAME);
    copies(1, NAME);
    router.lost(NOON);
    assertThat(ann.numbers()).containsExactly(1);
    assertThat(ann.gaps()).hasSize(1);
  }

  @Test
  void aRefusalFailsTheRequestThatItIsOfAndNoLaterOne() {
    CompletableFuture<Void> first = router.follow(ann, List.of(NAME));
    long wish = link.want(NAME);
    router.refused(NAME, wish, "NOPERM");
    assertRefused(
        first, "Redis at memory refused the subscription to mad.topic.x (NOPERM). Check the");
    router.unfollow(ann, List.of(NAME));
    CompletableFuture<Void> second = router.follow(ann, List.of(NAME));
    router.refused(NAME, wish, "NOPERM");
    assertThat(second).isNotDone();
    router.subscribed(NAME, link.want(NAME));
    assertThat(second).isCompleted();
  }

  @Test
  void aLossIsToldToEachReceiverOnceAndAgainWhenAllIsRestored() {
    follow(ann, NAME, GLOB);
    follow(bob, OTHER);
    router.restored();
    assertThat(ann.gaps()).isEmpty();
    Gap gap = new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, NOON);
    router.lost(NOON);
    assertThat(ann.gaps()).containsExactly(gap);
    assertThat(bob.gaps()).containsExactly(gap);
    router.partlyRestored();
    router.lost(NOON.plusSeconds(5));
    router.restored();
    router.restored();
    // Since the first loss: nothing was whole in between.
    assertThat(ann.gaps())
        .containsExactly(
            gap,
            gap,
            new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, NOON.plusSeconds(5)),
            gap);
    assertThat(meters.get("joshua.bus.gaps").tag("reason", "reconnect").counter().count())
        .isEqualTo(4);
  }

  @Test
  void afterALossAFollowerHasToBeConfirmedAgain() {
    follow(ann, NAME);
    router.lost(NOON);
    CompletableFuture<Void> confirmation = router.follow(bob, List.of(NAME));
    assertThat(confirmation).isNotDone();
    router.subscribed(NAME, link.want(NAME));
    assertThat(confirmation).isCompleted();
    copies(1, NAME);
    assertThat(ann.numbers()).containsExactly(1);
    assertThat(bob.numbers()).containsExactly(1);
  }

  @Test
  void anOverflowIsAGapOfUnknownSize() {
    follow(ann, NAME);
    router.overflowed(7, NOON);
    assertThat(ann.gaps())
        .containsExactly(new Gap(OptionalLong.empty(), Gap.Reason.OVERFLOW, NOON));
  }

  private static List<ChannelPattern> many(int count, String form) {
    return IntStream.range(0, count).mapToObj(n -> new ChannelPattern(form.formatted(n))).toList();
  }

  @Test
  void asManyGlobsAsTheLimitAreFollowedAndNoneOfOneMore() {
    Collection<ChannelPattern> most = many(SubscriptionRouter.GLOB_LIMIT, "mad.topic.t%d.*");
    assertThat(router.follow(ann, most)).isNotDone();
    assertRefused(router.follow(bob, List.of(NAME, GLOB)), "more than 1000 distinct globs");
    assertThat(bus.listeners(CHANNEL)).isZero();
    assertThat(bus.patterns()).isEqualTo(SubscriptionRouter.GLOB_LIMIT);
    // Names still have room, and a glob that is followed already takes none.
    assertThat(router.follow(bob, List.of(NAME, most.iterator().next()))).isNotDone();
    router.unfollow(ann, most);
    assertThat(router.follow(bob, List.of(GLOB))).isNotDone();
  }

  @Test
  void asManySubscriptionsAsTheLimitAreFollowedAndNoneOfOneMore() {
    List<ChannelPattern> most = many(SubscriptionRouter.SUBSCRIPTION_LIMIT, "mad.topic.t%d");
    assertThat(router.follow(ann, most)).isNotDone();
    CompletableFuture<Void> more =
        router.follow(bob, Stream.concat(most.stream(), Stream.of(NAME)).toList());
    assertRefused(more, "more than 62000 distinct subscriptions");
    assertThat(more)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(TooManyPatternsException.class);
    assertThat(bus.listeners(CHANNEL)).isZero();
    assertThat(router.receiversOf(Channel.topic("t0"))).containsExactly(ann);
  }

  @Test
  void copiesAreCountedForEachSubscriptionFromItsFirstCut() {
    DeliveryCounter counter = router.countCopies();
    follow(ann, NAME, GLOB);
    copies(1, NAME, GLOB);
    assertThat(counter.cut(7))
        .containsExactlyInAnyOrder(
            new DeliveryCounter.Count(NAME, 7, 0), new DeliveryCounter.Count(GLOB, 7, 0));
    copies(2, NAME, GLOB);
    router.copy(NAME, CHANNEL, new byte[] {'{'});
    router.unsubscribed(GLOB);
    assertThat(counter.cut(8)).containsExactly(new DeliveryCounter.Count(NAME, 7, 2));
    router.lost(NOON);
    assertThat(counter.cut(9)).isEmpty();
  }

  private double counted(String meter) {
    return meters.get(meter).counter().count();
  }
}
