package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.Gap;
import joshua.conversation.Participant;
import joshua.conversation.ReceivedMessage;
import joshua.grace.GraceConfig;
import joshua.grace.meter.DeliveryTotals;
import joshua.grace.meter.MissedMessages;
import joshua.grace.meter.RelayMeters;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeWatchers;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.bus.InMemoryBus;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queues of all clients together, on a bus without Redis. */
final class ClientQueuesTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final long PLENTY = 1L << 30;
  private static final int MOST = 100;
  private static final List<ChannelPattern> TOPIC = List.of(new ChannelPattern("mad.topic.x"));
  private static final List<ChannelPattern> ALL = List.of(ChannelPattern.ALL);

  private final ManualTime time = new ManualTime(NOON);
  private final InMemoryBus memory = new InMemoryBus(time);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private ConversationBus bus;
  private ClientQueues queues;

  @BeforeEach
  void open() throws Exception {
    bus =
        new ConversationBus(
                new Participant("grace", "test", "test", NOON),
                memory.link(),
                time,
                1 << 20,
                new SimpleMeterRegistry(),
                ConversationBus::noDetail)
            .openUnannounced();
    queues = queuesOf(new GraceConfig(3, 2, PLENTY));
  }

  @AfterEach
  void close() {
    bus.close();
  }

  private ClientQueues queuesOf(GraceConfig config) {
    meters.clear();
    return new ClientQueues(
        config,
        bus,
        new ClockSources(time, time::nanoTime, TimedWait.system()),
        new RelayMeters(meters),
        new ChangeWatchers(),
        new KnownNames(time, 1));
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  /** Follows, and waits until the bus has confirmed that. */
  private SubscribeResult follow(String client, Collection<ChannelPattern> topics)
      throws Exception {
    return follow(client, ReadingRights.ALL, topics, Optional.empty());
  }

  private SubscribeResult follow(
      String client,
      ReadingRights rights,
      Collection<ChannelPattern> topics,
      Optional<MissedMessages> cursor)
      throws Exception {
    SubscribeResult followed = (SubscribeResult) queues.follow(client, rights, topics, cursor);
    bus.awaitConfirmed(followed.confirmed());
    assertThat(queues.confirm(followed)).isPresent();
    return followed;
  }

  private static ReceivedMessage message(int n) {
    Envelope envelope =
        new Envelope(
            UUID.randomUUID(),
            UUID.randomUUID(),
            UUID.randomUUID(),
            NOON,
            "eve",
            Optional.empty(),
            Channel.topic("x"),
            Json.object().put("n", n),
            Map.of());
    return new ReceivedMessage(envelope, EnvelopeCodec.encode(envelope));
  }

  /** Puts numbered messages into the queue, as the bus does. */
  private void accept(ClientQueue queue, int from, int to) {
    IntStream.rangeClosed(from, to).forEach(n -> queues.accept(queue, message(n)));
  }

  private void publish(String channel, int n) {
    String json = RawEnvelope.on(channel).payload("{\"n\":%d}".formatted(n)).json();
    memory.publish(channel, json.getBytes(StandardCharsets.UTF_8));
  }

  private PendingPoll begin(String client, Optional<QueuePosition> told) {
    return queues.beginPoll(client, told, told.isPresent(), Optional.empty()).orElseThrow();
  }

  private ClientQueue.Page poll(String client, Optional<QueuePosition> told) {
    return queues
        .takeNow(begin(client, told), false, MOST, PLENTY)
        .flatMap(PendingPoll.Taken::page)
        .orElseThrow();
  }

  private static List<Integer> numbers(ClientQueue.Page page) {
    return page.messages().stream()
        .map(each -> {
          String text = new String(each.body(), StandardCharsets.UTF_8);
          return Integer.parseInt(text.replaceAll(".*\"n\":(\\d+).*", "$1"));
        })
        .toList();
  }

  private double dropped(String reason) {
    return meters.get("joshua.grace.dropped").tag("reason", reason).counter().count();
  }

  @Test
  void whatIsPublishedComesToTheQueuesOfThoseWhoFollow() throws Exception {
    follow("ann", TOPIC);
    follow("bob", List.of(new ChannelPattern("mad.topic.*"), TOPIC.getFirst()));
    publish("mad.topic.x", 1);
    publish("mad.topic.y", 2);
    soon().until(() -> queues.totals().pairs().matched() == 3);
    assertThat(numbers(poll("ann", Optional.empty()))).containsExactly(1);
    assertThat(numbers(poll("bob", Optional.empty()))).containsExactly(1, 2);
    assertThat(queues.totals())
        .isEqualTo(new ClientQueues.Totals(2, new DeliveryTotals(3, 3, 0, 0, 0, 0), 0, 3, 1));
  }

  @Test
  void withoutACursorAPollTakesWithOneItRepeatsUntilAcknowledged() throws Exception {
    ClientQueue queue = follow("ann", TOPIC).queue();
    accept(queue, 1, 2);
    QueuePosition start = queues.standing(queue, Optional.empty()).position();
    ClientQueue.Page page = poll("ann", Optional.of(start));
    assertThat(numbers(page)).containsExactly(1, 2);
    assertThat(numbers(poll("ann", Optional.of(start)))).containsExactly(1, 2);
    assertThat(queues.totals().pairs().delivered()).isZero();
    assertThat(numbers(poll("ann", Optional.of(page.position())))).isEmpty();
    assertThat(queues.totals().pairs().delivered()).isEqualTo(2);
    accept(queue, 3, 3);
    assertThat(numbers(poll("ann", Optional.empty()))).containsExactly(3);
    assertThat(numbers(poll("ann", Optional.empty()))).isEmpty();
  }

  @Test
  void aFullQueueHoldsTheLatestAndTellsOfTheOldest() throws Exception {
    ClientQueue queue = follow("ann", TOPIC).queue();
    accept(queue, 1, 3);
    assertThat(dropped("overflow")).isZero();
    accept(queue, 4, 4);
    assertThat(dropped("overflow")).isEqualTo(1);
    ClientQueue.Page page = poll("ann", Optional.empty());
    assertThat(numbers(page)).containsExactly(2, 3, 4);
    assertThat(page.missed())
        .contains(new MissedMessages(OptionalLong.of(1), MissedMessages.Reason.OVERFLOW, NOON));
    assertThat(poll("ann", Optional.empty()).missed()).isEmpty();
    assertThat(queues.account(10).losers()).hasSize(1);
    assertThat(queues.account(10).losers()).isEmpty();
  }

  @Test
  void beyondTheClientsTheLeastRecentlyUsedIsEvictedAndToldWhenItIsBack() throws Exception {
    ClientQueue ann = follow("ann", TOPIC).queue();
    follow("bob", TOPIC);
    accept(ann, 1, 2);
    assertThat(queues.called("ann")).isFalse();
    SubscribeResult carl = follow("carl", TOPIC);
    assertThat(carl.left()).containsExactly("bob");
    assertThat(queues.beginPoll("bob", Optional.empty(), false, Optional.empty())).isEmpty();
    assertThat(numbers(poll("ann", Optional.empty()))).containsExactly(1, 2);
    SubscribeResult back = follow("bob", TOPIC);
    assertThat(back.created()).isTrue();
    assertThat(back.left()).containsExactly("carl");
    assertThat(back.lost().map(MissedMessages::reason)).contains(MissedMessages.Reason.EVICTED);
    assertThat(poll("bob", Optional.empty()).missed().map(MissedMessages::reason))
        .contains(MissedMessages.Reason.EVICTED);
    assertThat(memory.listeners("mad.topic.x")).isEqualTo(1);
    assertThat(queues.totals().clients()).isEqualTo(2);
  }

  @Test
  void aMessageOfManyCountsItsBytesOnceAndTheBytesOfAllAreBounded() throws Exception {
    ReceivedMessage one = message(1);
    long bytes = one.body().length;
    long memoryOfTwo =
        2 * (bytes + SharedMessages.BYTES_OF_A_MESSAGE) + 3L * SharedMessages.BYTES_OF_A_PLACE;
    queues = queuesOf(new GraceConfig(100, 10, memoryOfTwo));
    ClientQueue ann = follow("ann", TOPIC).queue();
    ClientQueue bob = follow("bob", TOPIC).queue();
    queues.accept(ann, one);
    queues.accept(bob, one);
    assertThat(queues.totals().bytes()).isEqualTo(bytes);
    queues.accept(bob, message(2));
    assertThat(dropped("overflow")).isZero();
    // One more: ann is the least recently used, but its message also waits for bob.
    queues.accept(bob, message(3));
    assertThat(dropped("overflow")).isEqualTo(2);
    assertThat(numbers(poll("bob", Optional.empty()))).containsExactly(2, 3);
    assertThat(poll("ann", Optional.empty()).missed())
        .contains(new MissedMessages(OptionalLong.of(1), MissedMessages.Reason.OVERFLOW, NOON));
  }

  @Test
  void theTopicsOfAClientAreBoundedAndNothingIsFollowedBeyond() throws Exception {
    queues = queuesOf(new GraceConfig(3, 2, PLENTY, 10_000, 4));
    List<ChannelPattern> most =
        IntStream.range(0, FollowedTopics.LIMIT)
            .mapToObj(n -> new ChannelPattern("mad.topic.t" + n))
            .toList();
    follow("ann", most);
    assertThat(queues.follow("ann", ReadingRights.ALL, TOPIC, Optional.empty()))
        .isInstanceOf(ClientQueues.Followed.Refused.class);
    assertThat(memory.listeners("mad.topic.x")).isZero();
    // What it follows already it may name again.
    assertThat(queues.follow("ann", ReadingRights.ALL, most, Optional.empty()))
        .isInstanceOf(SubscribeResult.class);
  }

  @Test
  void aGapOfTheBusIsTheGapOfEveryQueue() throws Exception {
    ClientQueue queue = follow("ann", TOPIC).queue();
    memory.cut();
    soon().until(() -> queues.look(roster -> queue.hasNews(queue.reached())));
    memory.heal();
    soon().until(() -> queues.standing(queue, Optional.empty()).position().breaks() == 2);
    assertThat(poll("ann", Optional.empty()).missed())
        .contains(MissedMessages.unknown(MissedMessages.Reason.RECONNECT, NOON));
    queues.breakOff(queue, new Gap(OptionalLong.empty(), Gap.Reason.OVERFLOW, NOON));
    assertThat(poll("ann", Optional.empty()).missed().map(MissedMessages::reason))
        .contains(MissedMessages.Reason.OVERFLOW);
    assertThat(poll("ann", Optional.empty()).missed()).isEmpty();
  }

  @Test
  void aCursorOfAnEarlierQueueTellsOfTheEviction() throws Exception {
    QueuePosition old = queues.standing(follow("ann", TOPIC).queue(), Optional.empty()).position();
    assertThat(queues.drop("ann")).isPresent();
    assertThat(queues.drop("ann")).isEmpty();
    follow("ann", ReadingRights.ALL, TOPIC, Optional.empty());
    assertThat(poll("ann", Optional.of(old)).missed().map(MissedMessages::reason))
        .contains(MissedMessages.Reason.EVICTED);
    // A queue that the client itself gave up is no loss.
    assertThat(queues.unfollow("ann", Optional.empty()))
        .contains(new ClientQueues.Remaining(List.of(), true));
    QueuePosition given = new QueuePosition(follow("ann", TOPIC).queue().number() - 1, 0, 0, NOON);
    assertThat(poll("ann", Optional.of(given)).missed()).isEmpty();
  }

  @Test
  void whatIsUnfollowedIsNoLongerFollowedOnTheBus() throws Exception {
    follow("ann", List.of(TOPIC.getFirst(), new ChannelPattern("mad.topic.y")));
    assertThat(queues.unfollow("ann", Optional.of(TOPIC)))
        .contains(new ClientQueues.Remaining(List.of(new ChannelPattern("mad.topic.y")), false));
    assertThat(memory.listeners("mad.topic.x")).isZero();
    assertThat(memory.listeners("mad.topic.y")).isEqualTo(1);
    assertThat(queues.unfollow("eve", Optional.empty())).isEmpty();
  }

  @Test
  void aSubscriptionThatFailedIsTakenBackWithItsQueue() throws Exception {
    memory.refuse(TOPIC.getFirst());
    SubscribeResult failed =
        (SubscribeResult) queues.follow("ann", ReadingRights.ALL, TOPIC, Optional.empty());
    soon().until(failed.confirmed()::isCompletedExceptionally);
    queues.revert(failed);
    assertThat(queues.totals().clients()).isZero();
    assertThat(queues.confirm(failed)).isEmpty();
    queues.revert(failed);
    // One whose queue was promised something before stays.
    follow("bob", List.of(new ChannelPattern("mad.topic.y")));
    SubscribeResult more =
        (SubscribeResult) queues.follow("bob", ReadingRights.ALL, TOPIC, Optional.empty());
    queues.revert(more);
    assertThat(queues.totals().topics()).isEqualTo(1);
  }

  @Test
  void aLongPollIsWokenByAMessageAndEndsWithoutOneAtItsTime() throws Exception {
    ClientQueue queue = follow("ann", TOPIC).queue();
    assertThat(queues.takeNow(begin("ann", Optional.empty()), true, MOST, PLENTY)).isEmpty();
    CompletableFuture<ClientQueue.Page> woken = finishing(begin("ann", Optional.empty()));
    soon().until(() -> queues.look(_ -> queue.view().polling()));
    publish("mad.topic.x", 1);
    assertThat(numbers(woken.get())).containsExactly(1);
    PendingPoll late = begin("ann", Optional.empty());
    assertThat(queues.finish(late, Duration.ofMillis(5), MOST, PLENTY).page().orElseThrow())
        .satisfies(page -> assertThat(page.messages()).isEmpty());
  }

  @Test
  void aLongPollIsEndedByALaterOneAndByTheEndOfItsQueue() throws Exception {
    ClientQueue queue = follow("ann", TOPIC).queue();
    CompletableFuture<ClientQueue.Page> overtaken = finishing(begin("ann", Optional.empty()));
    soon().until(() -> queues.look(_ -> queue.view().polling()));
    PendingPoll later = begin("ann", Optional.empty());
    assertThat(overtaken.get().messages()).isEmpty();
    queues.drop("ann");
    assertThat(queues.finish(later, Duration.ofMinutes(1), MOST, PLENTY).page()).isEmpty();
    queues.accept(queue, message(1));
    assertThat(queues.totals().pairs().matched()).isZero();
  }

  private CompletableFuture<ClientQueue.Page> finishing(PendingPoll pendingPoll) {
    CompletableFuture<ClientQueue.Page> finished = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            finished.complete(
                queues
                    .finish(pendingPoll, Duration.ofMinutes(1), MOST, PLENTY)
                    .page()
                    .orElseThrow());
          } catch (InterruptedException | RuntimeException e) {
            finished.completeExceptionally(e);
          }
        });
    return finished;
  }

  @Test
  void rightsAreRaisedForTheQueueAndAQueueOfMoreThanTheRightsIsClosed() throws Exception {
    follow("ann", ReadingRights.OWN, ALL, Optional.empty());
    publish("mad.direct.bob", 1);
    publish("mad.topic.x", 2);
    soon().until(() -> queues.totals().pairs().matched() == 1);
    assertThat(numbers(poll("ann", Optional.empty()))).containsExactly(2);
    follow("ann", ReadingRights.ALL, ALL, Optional.empty());
    publish("mad.direct.bob", 3);
    soon().until(() -> queues.totals().pairs().matched() == 2);
    assertThat(numbers(poll("ann", Optional.empty()))).containsExactly(3);
    assertThat(queues.endBeyond("ann", ReadingRights.ALL)).isEmpty();
    assertThat(queues.endBeyond("ann", ReadingRights.OWN)).isPresent();
    assertThat(queues.totals().clients()).isZero();
  }

  @Test
  void aClientIsPresentFromItsFirstCallUntilItHasBeenSilentForLong() throws Exception {
    assertThat(follow("ann", TOPIC).came()).isTrue();
    assertThat(queues.called("ann")).isFalse();
    assertThat(queues.called("eve")).isFalse();
    time.advance(ClientActivity.BEAT_EVERY);
    assertThat(queues.takeBeatsDue(10)).containsExactly("ann");
    assertThat(queues.takeBeatsDue(10)).isEmpty();
    time.advance(ClientActivity.ABSENT_AFTER.minus(ClientActivity.BEAT_EVERY));
    assertThat(queues.takeAbsent()).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(queues.takeAbsent()).containsExactly("ann");
    assertThat(queues.takeAbsent()).isEmpty();
    assertThat(queues.silentSince("ann")).contains(NOON);
    assertThat(queues.called("ann")).isTrue();
    assertThat(queues.silentSince("ann")).isEmpty();
    assertThat(queues.takePresent()).containsExactly("ann");
  }
}
