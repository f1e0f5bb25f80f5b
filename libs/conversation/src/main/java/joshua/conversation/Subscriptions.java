package joshua.conversation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Who follows what: one Redis subscription for each distinct pattern, however many share it, and
 * the fan-out of what arrives.
 *
 * <p>Of the copies that Redis sends of a message, the one of a single chosen subscription is taken
 * and handed to every receiver that has a matching pattern. Which subscriptions are confirmed is
 * learnt on the same connection, in order with the copies, so both sides agree on how many copies a
 * message has, and exactly one is taken (wire contract §2).
 *
 * <p>Guarded by {@code lock}; receivers are called outside it.
 */
final class Subscriptions implements BusLink.Feed {
  /** Distinct patterns that are followed at once. */
  static final int PATTERN_LIMIT = 50_000;

  /** Channels whose routes are remembered. */
  private static final int ROUTE_LIMIT = 8_192;

  /** Longer names are routed anew each time; no valid channel has one. */
  private static final int ROUTE_NAME_LIMIT = 256;

  private static final Logger log = LoggerFactory.getLogger(Subscriptions.class);

  private record Following(long wish, Set<Receiver> receivers) {}

  /** What waits for the confirmation of a wish, or of a later one. */
  private record Awaited(long wish, CompletableFuture<Void> confirmation) {}

  private record Route(ChannelPattern chosen, List<Receiver> receivers) {}

  private final BusLink link;
  private final TrafficCounters counters;
  private final DeadLetters deadLetters;
  private final long envelopeLimit;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ChannelPattern, Following> followers = new HashMap<>();
  private final Map<ChannelPattern, Set<Receiver>> globFollowers = new HashMap<>();
  private final Set<ChannelPattern> confirmed = new HashSet<>();
  private final TreeSet<String> confirmedGlobs = new TreeSet<>();
  private final Map<ChannelPattern, Awaited> awaited = new HashMap<>();
  private final Map<String, Route> routes = new HashMap<>();
  private final CopyCounts copies = new CopyCounts(lock);
  private @Nullable Instant lostSince;

  Subscriptions(
      BusLink link, TrafficCounters counters, DeadLetters deadLetters, long envelopeLimit) {
    this.link = link;
    this.counters = counters;
    this.deadLetters = deadLetters;
    this.envelopeLimit = envelopeLimit;
  }

  /**
   * Follows, and completes when Redis has confirmed every pattern. Fails with {@link
   * BusUnavailable} when Redis refuses one, or when one is given up before; with {@link
   * TooManyPatterns}, and follows none, beyond {@link #PATTERN_LIMIT}.
   */
  CompletableFuture<Void> follow(Receiver receiver, Collection<ChannelPattern> patterns) {
    lock.lock();
    try {
      long added = patterns.stream().filter(pattern -> !followers.containsKey(pattern)).count();
      if (followers.size() + added > PATTERN_LIMIT) {
        return CompletableFuture.failedFuture(new TooManyPatterns(PATTERN_LIMIT));
      }
      CompletableFuture<?>[] confirmations =
          patterns.stream()
              .map(pattern -> follow(receiver, pattern))
              .toArray(CompletableFuture[]::new);
      routes.clear();
      return CompletableFuture.allOf(confirmations);
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Void> follow(Receiver receiver, ChannelPattern pattern) {
    Following following = followers.get(pattern);
    boolean wished = following == null;
    if (following == null) {
      // Only queued by the link, so that the order of wishes is the order of these changes.
      following = new Following(link.want(pattern), new LinkedHashSet<>());
      followers.put(pattern, following);
      if (pattern.isGlob()) {
        globFollowers.put(pattern, following.receivers());
      }
    }
    following.receivers().add(receiver);
    Awaited waiting = awaited.get(pattern);
    if (waiting != null) {
      return waiting.confirmation();
    }
    // A wish is new although the pattern is confirmed when the end of an earlier one is under way.
    if (!wished && confirmed.contains(pattern)) {
      return CompletableFuture.completedFuture(null);
    }
    Awaited fresh = new Awaited(following.wish(), new CompletableFuture<>());
    awaited.put(pattern, fresh);
    return fresh.confirmation();
  }

  /** Gives up. Whoever still waits for the confirmation of what nobody follows now is told so. */
  void unfollow(Receiver receiver, Collection<ChannelPattern> patterns) {
    List<Awaited> moot = new ArrayList<>();
    lock.lock();
    try {
      for (ChannelPattern pattern : patterns) {
        Following following = followers.get(pattern);
        if (following != null
            && following.receivers().remove(receiver)
            && following.receivers().isEmpty()) {
          followers.remove(pattern);
          globFollowers.remove(pattern);
          link.unwant(pattern);
          Optional.ofNullable(awaited.remove(pattern)).ifPresent(moot::add);
        }
      }
      routes.clear();
    } finally {
      lock.unlock();
    }
    moot.forEach(waiting -> waiting.confirmation().completeExceptionally(givenUp()));
  }

  private BusUnavailable givenUp() {
    return new BusUnavailable(
        "A subscription was given up before Redis at %s had confirmed it."
            .formatted(link.address()));
  }

  /** The receivers that a message on {@code channel} would go to. */
  List<Receiver> receiversOf(Channel channel) {
    lock.lock();
    try {
      return receivers(channel.name());
    } finally {
      lock.unlock();
    }
  }

  /** Counts the copies of each subscription from now on. */
  CopyCounts countCopies() {
    copies.start();
    return copies;
  }

  @Override
  public void copy(ChannelPattern subscription, String channel, byte[] body) {
    Route route = route(subscription, channel);
    if (!route.chosen().equals(subscription)) {
      return;
    }
    Delivery delivery;
    try {
      delivery = new Delivery(envelope(channel, body), body);
    } catch (EnvelopeCodec.Malformed e) {
      counters.malformed();
      deadLetters.add(channel, body, String.valueOf(e.getMessage()));
      return;
    }
    counters.received();
    for (Receiver receiver : route.receivers()) {
      try {
        receiver.deliver(delivery);
      } catch (RuntimeException | Error e) {
        failed(delivery.envelope(), e);
      }
    }
  }

  private Envelope envelope(String channel, byte[] body) throws EnvelopeCodec.Malformed {
    if (body.length > envelopeLimit) {
      throw new EnvelopeCodec.Malformed(
          "the message must be at most %d bytes; it is %d".formatted(envelopeLimit, body.length));
    }
    return EnvelopeCodec.decode(channel, body);
  }

  private static void failed(Envelope envelope, Throwable failure) {
    try (var _ = MDC.putCloseable(Correlation.KEY, envelope.correlationId().toString())) {
      log.error("a receiver failed on a message; the other receivers have it", failure);
    }
  }

  private Route route(ChannelPattern subscription, String channel) {
    lock.lock();
    try {
      copies.came(subscription);
      Route known = routes.get(channel);
      if (known != null) {
        return known;
      }
      if (routes.size() >= ROUTE_LIMIT) {
        routes.clear();
      }
      Route route = new Route(chosen(subscription, channel), receivers(channel));
      if (channel.length() <= ROUTE_NAME_LIMIT) {
        routes.put(channel, route);
      }
      return route;
    } finally {
      lock.unlock();
    }
  }

  private ChannelPattern chosen(ChannelPattern fallback, String channel) {
    if (!fallback.isGlob()) {
      return fallback;
    }
    ChannelPattern exact = Channel.parse(channel).map(ChannelPattern::exactly).orElse(fallback);
    if (!exact.isGlob() && confirmed.contains(exact)) {
      return exact;
    }
    return confirmedGlobs.stream()
        .filter(glob -> RedisGlob.matches(glob, channel))
        .findFirst()
        .map(ChannelPattern::new)
        .orElse(fallback);
  }

  private List<Receiver> receivers(String channel) {
    Set<Receiver> matching = new LinkedHashSet<>();
    Channel.parse(channel)
        .map(ChannelPattern::exactly)
        .map(followers::get)
        .ifPresent(following -> matching.addAll(following.receivers()));
    globFollowers.forEach((pattern, receivers) -> {
      if (pattern.matches(channel)) {
        matching.addAll(receivers);
      }
    });
    return List.copyOf(matching);
  }

  @Override
  public void subscribed(ChannelPattern subscription, long wish) {
    Optional<Awaited> waiting;
    lock.lock();
    try {
      confirmed.add(subscription);
      if (subscription.isGlob()) {
        confirmedGlobs.add(subscription.text());
      }
      copies.began(subscription);
      routes.clear();
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
    BusUnavailable refusal =
        new BusUnavailable(
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
      confirmed.remove(subscription);
      confirmedGlobs.remove(subscription.text());
      copies.ended(subscription);
      routes.clear();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void lost(Instant since) {
    lock.lock();
    try {
      confirmed.clear();
      confirmedGlobs.clear();
      copies.allEnded();
      routes.clear();
      lostSince = lostSince == null ? since : lostSince;
    } finally {
      lock.unlock();
    }
    tell(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, since));
  }

  @Override
  public void restored() {
    Instant since;
    lock.lock();
    try {
      since = lostSince;
      lostSince = null;
    } finally {
      lock.unlock();
    }
    // Told a second time: whoever took the first notice while the bus was away has missed what was
    // published between that and now.
    if (since != null) {
      tell(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, since));
    }
  }

  @Override
  public void overflowed(long copies, Instant since) {
    // How many of the copies were whose is not known, so nobody is told a number.
    tell(new Gap(OptionalLong.empty(), Gap.Reason.OVERFLOW, since));
  }

  private void tell(Gap gap) {
    counters.gap(gap.reason());
    Set<Receiver> all = new LinkedHashSet<>();
    lock.lock();
    try {
      followers.values().forEach(following -> all.addAll(following.receivers()));
    } finally {
      lock.unlock();
    }
    for (Receiver receiver : all) {
      try {
        receiver.missed(gap);
      } catch (RuntimeException | Error e) {
        log.error("a receiver failed on a gap; the other receivers have been told", e);
      }
    }
  }
}
