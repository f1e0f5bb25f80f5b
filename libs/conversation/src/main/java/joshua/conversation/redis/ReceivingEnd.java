package joshua.conversation.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailable;
import joshua.conversation.ChannelPattern;
import joshua.kernel.Pause;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that receives: what is subscribed, restored after each reconnect, and the thread
 * that reads the bus.
 *
 * <p>Guarded by {@code lock}: which subscriptions are wanted, and that commands go out in the order
 * of the wishes. Under it commands are only queued with Lettuce, never waited for.
 */
final class ReceivingEnd implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReceivingEnd.class);

  private final Line<StatefulRedisPubSubConnection<String, byte[]>> line;
  private final Inbox inbox;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<ChannelPattern> wanted = new LinkedHashSet<>();
  private @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;
  private long connections;
  private @Nullable Thread reader;

  ReceivingEnd(
      RedisAddress address,
      Supplier<CompletionStage<StatefulRedisPubSubConnection<String, byte[]>>> connector,
      Backoff backoff,
      Pause pause,
      InstantSource time) {
    this.inbox = new Inbox(time);
    this.line =
        new Line<>(
            "receiving",
            address,
            connector,
            new Line.Owner<>() {
              @Override
              public void connected(StatefulRedisPubSubConnection<String, byte[]> fresh) {
                attach(fresh);
              }

              @Override
              public void lost(Instant lastKnownGood) {
                detach(lastKnownGood);
              }
            },
            backoff,
            pause,
            time);
  }

  void open(BusLink.Feed feed) throws BusUnavailable, InterruptedException {
    line.open();
    reader = Thread.ofVirtual().name("bus-reader").start(() -> read(feed));
  }

  boolean isConnected() {
    return line.connection().isPresent();
  }

  void want(ChannelPattern subscription) {
    lock.lock();
    try {
      if (wanted.add(subscription) && connection != null) {
        subscribe(connection, List.of(subscription));
      }
    } finally {
      lock.unlock();
    }
  }

  void unwant(ChannelPattern subscription) {
    lock.lock();
    try {
      if (wanted.remove(subscription) && connection != null) {
        RedisPubSubAsyncCommands<String, byte[]> commands = connection.async();
        var _ =
            subscription.isGlob()
                ? commands.punsubscribe(subscription.text())
                : commands.unsubscribe(subscription.text());
      }
    } finally {
      lock.unlock();
    }
  }

  private void attach(StatefulRedisPubSubConnection<String, byte[]> fresh) {
    lock.lock();
    try {
      long number = ++connections;
      connection = fresh;
      inbox.add(new Inbox.Event.Connected(number));
      fresh.addListener(new Listener(number));
      subscribe(fresh, wanted);
      // Redis answers in order: behind this answer every subscription has been confirmed.
      var _ = fresh.async().ping().thenRun(() -> inbox.add(new Inbox.Event.Restored(number)));
    } finally {
      lock.unlock();
    }
  }

  private void detach(Instant since) {
    lock.lock();
    try {
      connection = null;
    } finally {
      lock.unlock();
    }
    inbox.add(new Inbox.Event.Lost(since));
  }

  private static void subscribe(
      StatefulRedisPubSubConnection<String, byte[]> on, Collection<ChannelPattern> subscriptions) {
    String[] globs = names(subscriptions, true);
    String[] channels = names(subscriptions, false);
    if (globs.length > 0) {
      var _ = on.async().psubscribe(globs);
    }
    if (channels.length > 0) {
      var _ = on.async().subscribe(channels);
    }
  }

  private static String[] names(Collection<ChannelPattern> subscriptions, boolean globs) {
    return subscriptions.stream()
        .filter(subscription -> subscription.isGlob() == globs)
        .map(ChannelPattern::text)
        .toArray(String[]::new);
  }

  /** Lettuce calls this on its I/O thread, so it only hands over. */
  private final class Listener extends RedisPubSubAdapter<String, byte[]> {
    private final long number;

    Listener(long number) {
      this.number = number;
    }

    @Override
    public void message(String channel, byte[] body) {
      inbox.add(new Inbox.Event.Copy(number, new ChannelPattern(channel), channel, body));
    }

    @Override
    public void message(String pattern, String channel, byte[] body) {
      inbox.add(new Inbox.Event.Copy(number, new ChannelPattern(pattern), channel, body));
    }

    @Override
    public void subscribed(String channel, long count) {
      inbox.add(new Inbox.Event.Subscribed(number, new ChannelPattern(channel)));
    }

    @Override
    public void psubscribed(String pattern, long count) {
      inbox.add(new Inbox.Event.Subscribed(number, new ChannelPattern(pattern)));
    }

    @Override
    public void unsubscribed(String channel, long count) {
      inbox.add(new Inbox.Event.Unsubscribed(number, new ChannelPattern(channel)));
    }

    @Override
    public void punsubscribed(String pattern, long count) {
      inbox.add(new Inbox.Event.Unsubscribed(number, new ChannelPattern(pattern)));
    }
  }

  private void read(BusLink.Feed feed) {
    FeedOrder order = new FeedOrder(feed);
    try {
      while (true) {
        Inbox.Batch batch = inbox.take();
        batch.events().forEach(event -> pass(order, event));
        batch.overflow().ifPresent(lost -> feed.overflowed(lost.copies(), lost.since()));
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private static void pass(FeedOrder order, Inbox.Event event) {
    try {
      order.pass(event);
    } catch (RuntimeException e) {
      log.error("a receiver failed on what came from the bus; the next ones go on", e);
    }
  }

  /** Lets through what belongs to the present connection: a copy may come in after its end. */
  private static final class FeedOrder {
    private static final long NONE = -1;
    private final BusLink.Feed feed;
    private long present = NONE;

    FeedOrder(BusLink.Feed feed) {
      this.feed = feed;
    }

    void pass(Inbox.Event event) {
      switch (event) {
        case Inbox.Event.Connected(long number) -> present = number;
        case Inbox.Event.Lost(Instant since) -> {
          present = NONE;
          feed.lost(since);
        }
        case Inbox.Event.Copy copy when copy.connection() == present ->
            feed.copy(copy.subscription(), copy.channel(), copy.body());
        case Inbox.Event.Subscribed(long number, ChannelPattern subscription)
            when number == present ->
            feed.subscribed(subscription);
        case Inbox.Event.Unsubscribed(long number, ChannelPattern subscription)
            when number == present ->
            feed.unsubscribed(subscription);
        case Inbox.Event.Restored(long number) when number == present -> feed.restored();
        case Inbox.Event.Copy late -> {}
        case Inbox.Event.Subscribed late -> {}
        case Inbox.Event.Unsubscribed late -> {}
        case Inbox.Event.Restored late -> {}
      }
    }
  }

  @Override
  public void close() {
    line.close();
    Thread reading = reader;
    if (reading != null) {
      reading.interrupt();
    }
  }
}
