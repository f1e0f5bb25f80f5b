package joshua.testing.bus;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import org.jspecify.annotations.Nullable;

/** One participant's connection to an {@link InMemoryBus}. Guarded by the bus's lock. */
final class InMemoryLink implements BusLink {
  private static final String REFUSAL = "NOPERM No permissions to access a channel";

  private final InMemoryBus bus;
  private final ReentrantLock lock;
  private final InstantSource time;
  private final long byteLimit;
  private final Map<ChannelPattern, Long> wanted = new LinkedHashMap<>();
  private final Map<String, ChannelPattern> names = new HashMap<>();
  private final Set<ChannelPattern> globs = new LinkedHashSet<>();
  private long wishes;

  /** Set while this is open. */
  private @Nullable FeedThread<Feed> reader;

  InMemoryLink(InMemoryBus bus, ReentrantLock lock, InstantSource time, long byteLimit) {
    this.bus = bus;
    this.lock = lock;
    this.time = time;
    this.byteLimit = byteLimit;
  }

  @Override
  public void open(Feed feed) throws BusUnavailableException {
    lock.lock();
    try {
      if (bus.isCut()) {
        throw away();
      }
      reader = new FeedThread<>("memory-bus-reader", feed, byteLimit, time, Feed::overflowed);
      bus.add(this);
      restore();
    } finally {
      lock.unlock();
    }
  }

  private static BusUnavailableException away() {
    return new BusUnavailableException(
        "Redis at %s is away; try again when it is back.".formatted(InMemoryBus.ADDRESS));
  }

  private boolean isConnected() {
    return reader != null && !bus.isCut();
  }

  @Override
  public CompletionStage<Publication> publish(Channel channel, byte[] body) {
    return CompletableFuture.completedFuture(
        isUsable()
            ? new Publication.Accepted(bus.publish(channel.name(), body))
            : new Publication.NotWritten(String.valueOf(away().getMessage())));
  }

  @Override
  public long want(ChannelPattern subscription) {
    lock.lock();
    try {
      Long before = wanted.get(subscription);
      if (before != null) {
        return before;
      }
      long wish = ++wishes;
      wanted.put(subscription, wish);
      if (isConnected()) {
        subscribe(subscription, wish);
      }
      return wish;
    } finally {
      lock.unlock();
    }
  }

  private void subscribe(ChannelPattern subscription, long wish) {
    if (bus.isRefused(subscription)) {
      queue().add(feed -> feed.refused(subscription, wish, REFUSAL));
    } else {
      if (subscription.isGlob()) {
        globs.add(subscription);
      } else {
        names.put(subscription.text(), subscription);
      }
      queue().add(feed -> feed.subscribed(subscription, wish));
    }
  }

  @Override
  public void unwant(ChannelPattern subscription) {
    lock.lock();
    try {
      if (wanted.remove(subscription) != null && isConnected()) {
        // Redis confirms the end of what it has refused, too.
        names.remove(subscription.text());
        globs.remove(subscription);
        queue().add(feed -> feed.unsubscribed(subscription));
      }
    } finally {
      lock.unlock();
    }
  }

  private FeedThread<Feed> queue() {
    return java.util.Objects.requireNonNull(reader);
  }

  /** Queues a copy for each subscription that matches, as Redis does: the name first. */
  long deliver(String channel, byte[] body) {
    List<ChannelPattern> matching =
        Stream.concat(
                Stream.ofNullable(names.get(channel)),
                globs.stream().filter(glob -> glob.matches(channel)))
            .toList();
    matching.forEach(subscription ->
        queue()
            .add(
                feed -> feed.copy(subscription, channel, body),
                (long) channel.length() + body.length));
    return matching.size();
  }

  /** The connection is lost, and its subscriptions with it. */
  void lose() {
    Instant since = time.instant();
    forgetSubscriptions();
    queue().add(feed -> feed.lost(since));
  }

  private void forgetSubscriptions() {
    names.clear();
    globs.clear();
  }

  /** A fresh connection: what it brings follows the report that all is restored. */
  void restore() {
    queue().add(Feed::restored);
    wanted.forEach(this::subscribe);
  }

  boolean isSubscribedByName(String channel) {
    return names.containsKey(channel);
  }

  Stream<ChannelPattern> globs() {
    return globs.stream();
  }

  @Override
  public CompletionStage<List<Long>> listeners(List<Channel> channels) {
    return asked(() -> channels.stream().map(channel -> bus.listeners(channel.name())).toList());
  }

  @Override
  public CompletionStage<Long> patterns() {
    return asked(bus::patterns);
  }

  private <T> CompletionStage<T> asked(Supplier<T> answer) {
    return isUsable()
        ? CompletableFuture.completedFuture(answer.get())
        : CompletableFuture.failedFuture(away());
  }

  @Override
  public boolean isUsable() {
    lock.lock();
    try {
      return isConnected();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String address() {
    return InMemoryBus.ADDRESS;
  }

  @Override
  public void close() {
    FeedThread<Feed> last;
    lock.lock();
    try {
      last = reader;
      reader = null;
      forgetSubscriptions();
      bus.remove(this);
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.close();
    }
  }
}
