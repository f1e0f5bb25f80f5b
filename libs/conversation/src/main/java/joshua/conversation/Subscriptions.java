package joshua.conversation;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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

  private record Route(ChannelPattern chosen, List<Receiver> receivers) {}

  private final BusLink link;
  private final TrafficCounters counters;
  private final DeadLetters deadLetters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ChannelPattern, Set<Receiver>> followers = new HashMap<>();
  private final Map<ChannelPattern, Set<Receiver>> globFollowers = new HashMap<>();
  private final Set<ChannelPattern> confirmed = new HashSet<>();
  private final TreeSet<String> confirmedGlobs = new TreeSet<>();
  private final Map<ChannelPattern, CompletableFuture<Void>> awaited = new HashMap<>();
  private final Map<String, Route> routes = new HashMap<>();
  private @Nullable Instant lostSince;

  Subscriptions(BusLink link, TrafficCounters counters, DeadLetters deadLetters) {
    this.link = link;
    this.counters = counters;
    this.deadLetters = deadLetters;
  }

  /** Follows, and completes when Redis has confirmed every pattern. */
  CompletableFuture<Void> follow(Receiver receiver, Collection<ChannelPattern> patterns) {
    lock.lock();
    try {
      long added = patterns.stream().filter(pattern -> !followers.containsKey(pattern)).count();
      if (followers.size() + added > PATTERN_LIMIT) {
        return CompletableFuture.failedFuture(
            new IllegalStateException("more than " + PATTERN_LIMIT + " distinct patterns"));
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
    Set<Receiver> receivers = followers.get(pattern);
    if (receivers == null) {
      receivers = new LinkedHashSet<>();
      followers.put(pattern, receivers);
      if (pattern.isGlob()) {
        globFollowers.put(pattern, receivers);
      }
      // Only queued by the link, so that the order of wishes is the order of these changes.
      link.want(pattern);
    }
    receivers.add(receiver);
    return confirmed.contains(pattern)
        ? CompletableFuture.completedFuture(null)
        : awaited.computeIfAbsent(pattern, absent -> new CompletableFuture<>());
  }

  void unfollow(Receiver receiver, Collection<ChannelPattern> patterns) {
    lock.lock();
    try {
      for (ChannelPattern pattern : patterns) {
        Set<Receiver> receivers = followers.get(pattern);
        if (receivers != null && receivers.remove(receiver) && receivers.isEmpty()) {
          followers.remove(pattern);
          globFollowers.remove(pattern);
          link.unwant(pattern);
        }
      }
      routes.clear();
    } finally {
      lock.unlock();
    }
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

  @Override
  public void copy(ChannelPattern subscription, String channel, byte[] body) {
    Route route = route(subscription, channel);
    if (!route.chosen().equals(subscription)) {
      return;
    }
    Delivery delivery;
    try {
      delivery = new Delivery(EnvelopeCodec.decode(channel, body), body);
    } catch (EnvelopeCodec.Malformed e) {
      counters.malformed();
      deadLetters.add(channel, body, String.valueOf(e.getMessage()));
      return;
    }
    counters.received();
    route.receivers().forEach(receiver -> receiver.deliver(delivery));
  }

  private Route route(ChannelPattern subscription, String channel) {
    lock.lock();
    try {
      Route known = routes.get(channel);
      if (known != null) {
        return known;
      }
      if (routes.size() >= ROUTE_LIMIT) {
        routes.clear();
      }
      Route route = new Route(chosen(subscription, channel), receivers(channel));
      routes.put(channel, route);
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
        .ifPresent(matching::addAll);
    globFollowers.forEach((pattern, receivers) -> {
      if (pattern.matches(channel)) {
        matching.addAll(receivers);
      }
    });
    return List.copyOf(matching);
  }

  @Override
  public void subscribed(ChannelPattern subscription) {
    CompletableFuture<Void> waiting;
    lock.lock();
    try {
      confirmed.add(subscription);
      if (subscription.isGlob()) {
        confirmedGlobs.add(subscription.text());
      }
      routes.clear();
      waiting = awaited.remove(subscription);
    } finally {
      lock.unlock();
    }
    if (waiting != null) {
      waiting.complete(null);
    }
  }

  @Override
  public void unsubscribed(ChannelPattern subscription) {
    lock.lock();
    try {
      confirmed.remove(subscription);
      confirmedGlobs.remove(subscription.text());
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
      routes.clear();
      lostSince = since;
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
      followers.values().forEach(all::addAll);
    } finally {
      lock.unlock();
    }
    all.forEach(receiver -> receiver.missed(gap));
  }
}
