package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.ReceivedMessage;
import joshua.grace.RunningGrace;
import joshua.grace.meter.MissedMessages;
import joshua.kernel.Json;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client's queue: its numbers, its pages, and what they say was missed. */
final class ClientQueueTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final long NUMBER = 7;
  private static final long PLENTY = 1L << 20;

  private final ManualTime time = new ManualTime(NOON);
  private final List<QueuedMessage> released = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private ClientQueue queue;

  @BeforeEach
  void lock() {
    lock.lock();
    queue =
        new ClientQueue(
            "ann",
            NUMBER,
            new FollowedTopics(new SubscriptionBudget(RunningGrace.ROOMY)),
            lock.newCondition(),
            released::add,
            NOON,
            time::nanoTime);
  }

  /** A message of the given second. */
  private static QueuedMessage message(int second) {
    Envelope envelope =
        new Envelope(
            UUID.randomUUID(),
            UUID.randomUUID(),
            UUID.randomUUID(),
            NOON.plusSeconds(second),
            "eve",
            Optional.empty(),
            Channel.topic("x"),
            Json.object().put("n", second),
            Map.of());
    return new QueuedMessage(new ReceivedMessage(envelope, EnvelopeCodec.encode(envelope)));
  }

  private void add(int from, int to) {
    for (int second = from; second <= to; second++) {
      queue.add(message(second));
    }
  }

  private static List<Long> seconds(ClientQueue.Page page) {
    return page.messages().stream()
        .map(each -> Duration.between(NOON, each.timestamp()).toSeconds())
        .toList();
  }

  private ClientQueue.Page page(QueuePosition position) {
    return queue.page(position, 100, PLENTY, now());
  }

  private Instant now() {
    return NOON.plusSeconds(1_000);
  }

  private static QueuePosition at(long sequence, int breaks) {
    return new QueuePosition(NUMBER, sequence, breaks, NOON);
  }

  private static MissedMessages overflow(long count, int second) {
    return new MissedMessages(
        OptionalLong.of(count), MissedMessages.Reason.OVERFLOW, NOON.plusSeconds(second));
  }

  private static MissedMessages unknown(MissedMessages.Reason reason, int second) {
    return MissedMessages.unknown(reason, NOON.plusSeconds(second));
  }

  @Test
  void anEmptyQueueHasNoNewsAndAnEmptyPage() {
    assertThat(queue.hasNews(queue.reached())).isFalse();
    ClientQueue.Page page = page(queue.reached());
    assertThat(page.messages()).isEmpty();
    assertThat(page.position()).isEqualTo(new QueuePosition(NUMBER, 0, 0, now()));
    assertThat(page.missed()).isEmpty();
    assertThat(queue.view().waiting()).isZero();
  }

  @Test
  void aPageIsRepeatedUntilItsPositionIsAcknowledged() {
    add(1, 3);
    ClientQueue.Page first = page(queue.reached());
    assertThat(page(queue.reached())).isEqualTo(first);
    assertThat(seconds(first)).containsExactly(1L, 2L, 3L);
    assertThat(released).isEmpty();
    queue.acknowledge(first.position());
    assertThat(released).hasSize(3);
    assertThat(queue.size()).isZero();
    add(4, 4);
    assertThat(seconds(page(first.position()))).containsExactly(4L);
    assertThat(page(first.position()).missed()).isEmpty();
  }

  @Test
  void anOlderPositionUndoesNothing() {
    add(1, 3);
    queue.acknowledge(at(2, 0));
    assertThat(queue.acknowledge(at(1, 0)).sequence()).isEqualTo(2);
    assertThat(seconds(page(queue.reached()))).containsExactly(3L);
    assertThat(queue.missed(queue.acknowledge(at(0, 0)))).isEmpty();
  }

  @Test
  void aPageHoldsAtMostSoManyMessagesAndSaysHowManyRemain() {
    add(1, 5);
    ClientQueue.Page page = queue.page(queue.reached(), 3, PLENTY, now());
    assertThat(seconds(page)).containsExactly(1L, 2L, 3L);
    assertThat(page.remaining()).isEqualTo(2);
    // No later than the first message behind it.
    assertThat(page.position()).isEqualTo(new QueuePosition(NUMBER, 3, 0, NOON.plusSeconds(4)));
    assertThat(queue.page(queue.reached(), 5, PLENTY, now()).remaining()).isZero();
  }

  @Test
  void aPageHoldsAtMostSoManyBytesButAlwaysOneMessage() {
    add(1, 3);
    long two = 2L * queue.first().bytes();
    assertThat(seconds(queue.page(queue.reached(), 100, two, now()))).containsExactly(1L, 2L);
    assertThat(seconds(queue.page(queue.reached(), 100, two - 1, now()))).containsExactly(1L);
    assertThat(seconds(queue.page(queue.reached(), 100, 0, now()))).containsExactly(1L);
  }

  @Test
  void droppedMessagesAreMissedFromTheFirstUntilThatIsAcknowledged() {
    add(1, 5);
    queue.drop(now());
    queue.drop(now());
    ClientQueue.Page page = page(queue.reached());
    assertThat(page.missed()).contains(overflow(2, 1));
    assertThat(seconds(page)).containsExactly(3L, 4L, 5L);
    assertThat(queue.missed(at(1, 0))).contains(overflow(1, 1));
    assertThat(queue.missed(at(2, 0))).isEmpty();
    queue.acknowledge(page.position());
    assertThat(queue.missed(queue.reached())).isEmpty();
    add(6, 6);
    queue.drop(now());
    assertThat(queue.missed(queue.reached())).contains(overflow(1, 6));
    assertThat(queue.view())
        .satisfies(view -> {
          assertThat(view.delivered()).isEqualTo(3);
          assertThat(view.dropped()).isEqualTo(3);
        });
  }

  @Test
  void aLossOfUnknownSizeComesBeforeTheKnownAndIsTheLatestReasonSinceTheFirst() {
    add(1, 2);
    queue.broken(MissedMessages.Reason.RECONNECT, NOON.plusSeconds(20));
    assertThat(queue.missed(queue.reached()))
        .contains(unknown(MissedMessages.Reason.RECONNECT, 20));
    queue.broken(MissedMessages.Reason.OVERFLOW, NOON.plusSeconds(30));
    assertThat(queue.missed(at(0, 1))).contains(unknown(MissedMessages.Reason.OVERFLOW, 20));
    queue.drop(now());
    assertThat(queue.missed(queue.reached())).contains(unknown(MissedMessages.Reason.OVERFLOW, 1));
    ClientQueue.Page page = page(queue.reached());
    assertThat(page.position()).isEqualTo(new QueuePosition(NUMBER, 2, 2, now()));
    queue.acknowledge(page.position());
    assertThat(queue.hasNews(queue.reached())).isFalse();
    queue.broken(MissedMessages.Reason.RECONNECT, NOON.plusSeconds(40));
    assertThat(queue.missed(queue.reached()))
        .contains(unknown(MissedMessages.Reason.RECONNECT, 40));
  }

  @Test
  void theStandingOfACursorIsWhatItMissedAndReleasesNothing() {
    add(1, 4);
    queue.drop(now());
    ClientQueue.Standing standing = queue.standing(Optional.of(at(0, 0)));
    assertThat(standing.same()).isTrue();
    assertThat(standing.missed()).contains(overflow(1, 1));
    assertThat(standing.position().sequence()).isEqualTo(1);
    assertThat(queue.standing(Optional.of(at(3, 0))).position().sequence()).isEqualTo(3);
    assertThat(queue.standing(Optional.empty()).same()).isTrue();
    ClientQueue.Standing foreign =
        queue.standing(Optional.of(new QueuePosition(NUMBER - 1, 3, 0, NOON)));
    assertThat(foreign.same()).isFalse();
    assertThat(foreign.position().sequence()).isEqualTo(1);
    assertThat(queue.size()).isEqualTo(3);
  }

  @Test
  void aLaterPollEndsAnEarlierOne() {
    long first = queue.beginPoll(NOON, true);
    assertThat(queue.isLatestPoll(first)).isTrue();
    long second = queue.beginPoll(NOON, false);
    assertThat(queue.isLatestPoll(first)).isFalse();
    assertThat(queue.isLatestPoll(second)).isTrue();
    queue.pollWaits();
    assertThat(queue.view().polling()).isTrue();
    assertThat(queue.view().cursor()).isFalse();
    queue.pollWaitsNoLonger();
    assertThat(queue.view().polling()).isFalse();
    assertThat(queue.nothing(at(0, 0)).messages()).isEmpty();
  }

  @Test
  void itsEndReleasesAllThatWaits() {
    add(1, 3);
    assertThat(queue.lossSince(now())).isEqualTo(NOON.plusSeconds(1));
    queue.drop(now());
    assertThat(queue.lossSince(now())).isEqualTo(NOON.plusSeconds(1));
    queue.end();
    assertThat(queue.isGone()).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(released).hasSize(3);
    assertThat(queue.view().bytes()).isZero();
  }
}
