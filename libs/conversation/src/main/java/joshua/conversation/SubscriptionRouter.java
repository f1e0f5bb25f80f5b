package joshua.conversation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.TreeTurns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The router from Redis subscriptions to receivers: one Redis subscription for each distinct
 * pattern, however many receivers share it, and the fan-out of incoming messages.
 *
 * <p>Of the copies of a message that Redis sends, the one of a single chosen subscription is taken
 * and handed to every receiver that has a matching pattern. Confirmations of subscriptions arrive
 * on the same connection, in order with the copies, so both sides agree on how many copies a
 * message has, and exactly one is taken (wire contract §2).
 *
 * <p>Guarded by {@code lock}; receivers are called outside it.
 */
final class SubscriptionRouter implements BusLink.Feed {
  /**
   * The maximum number of distinct subscriptions: as many as one ledger can name (wire contract
   * §2).
   */
  static final int SUBSCRIPTION_LIMIT = 62_000;

  /**
   * The maximum number of distinct globs among them: Redis matches every message that any client
   * publishes against each, and before 7.2 the time to add one grows with the connection's number
   * of globs.
   */
  static final int GLOB_LIMIT = 1_000;

  private static final Logger log = LoggerFactory.getLogger(SubscriptionRouter.class);

  /** A future that waits for the confirmation of a request, or of a later one. */
  private record Awaited(long wish, CompletableFuture<Void> confirmation) {}

  private final BusLink link;
  private final TrafficCounters counters;
  private final DeadLetters deadLetters;
  private final long envelopeLimit;

  private final ReentrantLock lock = new ReentrantLock();
  private final SubscriptionIndex index = new SubscriptionIndex();

  /** The requests that Redis hasn't confirmed yet, except those of patterns without a follower. */
  private final Map<ChannelPattern, Awaited> awaited = new HashMap<>();

  private final DeliveryCounter copies = new DeliveryCounter(lock);
  private @Nullable Instant lostSince;

  SubscriptionRouter(
      BusLink link, TrafficCounters counters, DeadLetters deadLetters, long envelopeLimit) {
    this.link = link;
    this.counters = counters;
    this.deadLetters = deadLetters;
    this.envelopeLimit = envelopeLimit;
  }

  /**
   * Follows, and completes when Redis has confirmed every pattern. Fails with {@link
   * BusUnavailableException} when Redis refuses one, or when one is unfollowed before; fails with
   * {@link TooManyPatternsException}, without following any, beyond {@link #SUBSCRIPTION_LIMIT} or
   * {@link #GLOB_LIMIT}.
   */
  CompletableFuture<Void> follow(
      MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    lock.lock();
    try {
      List<ChannelPattern> added =
          patterns.stream().distinct().filter(pattern -> !index.isFollowed(pattern)).toList();
      if (index.followed() + added.size() > SUBSCRIPTION_LIMIT) {
        return CompletableFuture.failedFuture(
            TooManyPatternsException.subscriptions(SUBSCRIPTION_LIMIT));
      }
      long globs = added.stream().filter(ChannelPattern::isGlob).count();
      if (index.followedGlobs() + globs > GLOB_LIMIT) {
        return CompletableFuture.failedFuture(TooManyPatternsException.globs(GLOB_LIMIT));
      }
      CompletableFuture<?>[] confirmations =
          patterns.stream()
              .map(pattern -> follow(messageReceiver, pattern))
              .toArray(CompletableFuture[]::new);
      return CompletableFuture.allOf(confirmations);
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Void> follow(MessageReceiver messageReceiver, ChannelPattern pattern) {
    Awaited waiting = awaited.get(pattern);
    if (index.follow(messageReceiver, pattern)) {
      // The link only queues it, so that requests have the order of these changes. It is a new
      // request even if the pattern is confirmed while an earlier unsubscribe is under way.
      waiting = new Awaited(link.want(pattern), new CompletableFuture<>());
      awaited.put(pattern, waiting);
    }
    return waiting == null ? confirmedAgain(pattern) : waiting.confirmation();
  }

  /**
   * A pattern that was confirmed before a reconnect has to be confirmed again before a new follower
   * can rely on it.
   */
  private CompletableFuture<Void> confirmedAgain(ChannelPattern pattern) {
    SubscriptionIndex.Entry entry = index.find(pattern);
    if (entry != null && entry.isConfirmed()) {
      return CompletableFuture.completedFuture(null);
    }
    Awaited waiting = new Awaited(link.want(pattern), new CompletableFuture<>());
    awaited.put(pattern, waiting);
    return waiting.confirmation();
  }

  /**
   * Unfollows. Callers that still wait for the confirmation of a pattern without followers get a
   * failure.
   */
  void unfollow(MessageReceiver messageReceiver, Collection<ChannelPattern> patterns) {
    List<Awaited> moot = new ArrayList<>();
    lock.lock();
    try {
      for (ChannelPattern pattern : patterns) {
        if (index.unfollow(messageReceiver, pattern)) {
          link.unwant(pattern);
          Optional.ofNullable(awaited.remove(pattern)).ifPresent(moot::add);
        }
      }
    } finally {
      lock.unlock();
    }
    moot.forEach(waiting -> waiting.confirmation().completeExceptionally(givenUp()));
  }

  private BusUnavailableException givenUp() {
    return new BusUnavailableException(
        "A subscription was given up before Redis at %s had confirmed it."
            .formatted(link.address()));
  }

  /** Asks the followers of these patterns again which channels they take. */
  void reconsider(Collection<ChannelPattern> patterns) {
    lock.lock();
    try {
      patterns.forEach(index::reconsider);
    } finally {
      lock.unlock();
    }
  }

  /** The receivers that a message on {@code channel} would reach. */
  List<MessageReceiver> receiversOf(Channel channel) {
    lock.lock();
    try {
      return index.route(channel.name()).receivers();
    } finally {
      lock.unlock();
    }
  }

  /** The copies of a message on {@code channel} that Redis would send here without a receiver. */
  int unusedCopies(Channel channel) {
    lock.lock();
    try {
      return index.route(channel.name()).unusedCopies();
    } finally {
      lock.unlock();
    }
  }

  /** Starts counting the copies of each subscription. */
  DeliveryCounter countCopies() {
    copies.start();
    return copies;
  }

  @Override
  public void copy(ChannelPattern subscription, String channel, byte[] body) {
    List<MessageReceiver> receivers;
    lock.lock();
    try {
      copies.came(subscription);
      SubscriptionIndex.Route route = index.route(channel);
      if (!route.chosen().orElse(subscription).equals(subscription)) {
        return;
      }
      receivers = route.receivers();
    } finally {
      lock.unlock();
    }
    try (TreeTurns.Turn _ = TreeTurns.OF_READERS.take(body)) {
      deliver(receivers, channel, body);
    }
  }

  private void deliver(List<MessageReceiver> receivers, String channel, byte[] body) {
    ReceivedMessage receivedMessage;
    try {
      receivedMessage = new ReceivedMessage(envelope(channel, body), body);
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      counters.malformed();
      deadLetters.add(channel, body, String.valueOf(e.getMessage()));
      return;
    }
    counters.received();
    for (MessageReceiver messageReceiver : receivers) {
      try {
        messageReceiver.deliver(receivedMessage);
      } catch (RuntimeException | Error e) {
        failed(receivedMessage.envelope(), e);
      }
    }
  }

  private Envelope envelope(String channel, byte[] body)
      throws EnvelopeCodec.MalformedEnvelopeException {
    if (body.length > envelopeLimit) {
      throw new EnvelopeCodec.MalformedEnvelopeException(
          "the message must be at most %d bytes; it is %d".formatted(envelopeLimit, body.length));
    }
    return EnvelopeCodec.decode(channel, body);
  }

  private static void failed(Envelope envelope, Throwable failure) {
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, envelope.correlationId().toString())) {
      log.error("a receiver failed on a message; the other receivers have it", failure);
    }
  }

  @Override
  public void subscribed(ChannelPattern subscription, long wish) {
    Optional<Awaited> waiting;
    lock.lock();
    try {
      index.confirm(subscription);
      copies.began(subscription);
      waiting = settled(subscription, wish);
    } finally {
      lock.unlock();
    }
    waiting.ifPresent(awaiting -> awaiting.confirmation().complete(null));
  }

  @Override
  public void refused(ChannelPattern subscription, long wish, String why) {
    Optional<Awaited> waiting;
    lock.lock();
    try {
      waiting = settled(subscription, wish);
    } finally {
      lock.unlock();
    }
    BusUnavailableException refusal =
        new BusUnavailableException(
            "Redis at %s refused the subscription to %s (%s). Check the user's ACL."
                .formatted(link.address(), subscription, why));
    log.warn("{}", refusal.getMessage());
    waiting.ifPresent(awaiting -> awaiting.confirmation().completeExceptionally(refusal));
  }

  private Optional<Awaited> settled(ChannelPattern subscription, long wish) {
    Awaited waiting = awaited.get(subscription);
    if (waiting == null || waiting.wish() > wish) {
      return Optional.empty();
    }
    awaited.remove(subscription);
    return Optional.of(waiting);
  }

  @Override
  public void unsubscribed(ChannelPattern subscription) {
    lock.lock();
    try {
      index.end(subscription);
      copies.ended(subscription);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void lost(Instant since) {
    lock.lock();
    try {
      index.endAll();
      copies.allEnded();
      lostSince = lostSince == null ? since : lostSince;
    } finally {
      lock.unlock();
    }
    tell(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, since));
  }

  @Override
  public void partlyRestored() {
    tellAgain(false);
  }

  @Override
  public void restored() {
    tellAgain(true);
  }

  /**
   * Repeats the gap: a receiver that took the first notice while the bus was away has also missed
   * what was published since then. It is notified before it gets what was published afterwards.
   */
  private void tellAgain(boolean theLast) {
    Instant since;
    lock.lock();
    try {
      since = lostSince;
      lostSince = theLast ? null : since;
    } finally {
      lock.unlock();
    }
    if (since != null) {
      tell(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, since));
    }
  }

  @Override
  public void overflowed(long copies, Instant since) {
    // The dropped copies can't be assigned to receivers, so the gap has no number.
    tell(new Gap(OptionalLong.empty(), Gap.Reason.OVERFLOW, since));
  }

  private void tell(Gap gap) {
    counters.gap(gap.reason());
    Collection<MessageReceiver> all;
    lock.lock();
    try {
      all = index.receivers();
    } finally {
      lock.unlock();
    }
    for (MessageReceiver messageReceiver : all) {
      try {
        messageReceiver.missed(gap);
      } catch (RuntimeException | Error e) {
        log.error("a receiver failed on a gap; the other receivers have been told", e);
      }
    }
  }
}
