package joshua.conversation.redis;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ChannelPattern;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that receives: its subscriptions, restored after each reconnect, and the thread
 * that reads the bus.
 *
 * <p>Guarded by {@code lock}: which subscriptions are wanted, and that commands go out in the order
 * of the requests. Under it commands are only queued with Lettuce, never waited for, and Lettuce's
 * threads never take it.
 */
final class SubscriberConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SubscriberConnection.class);

  /** How long a close waits for a receiver that is at work. */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  private final ReconnectingConnection<StatefulRedisPubSubConnection<String, byte[]>>
      reconnectingConnection;
  private final DeliveryQueue deliveryQueue;
  private final EssentialThread essential = EssentialThread.brisk("bus-reader");
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ChannelPattern, Long> wanted = new LinkedHashMap<>();
  private @Nullable PubSubConnection pubSubConnection;
  private long connections;
  private long wishes;
  private @Nullable Thread reader;
  private volatile boolean closed;

  SubscriberConnection(
      RedisAddress address,
      Supplier<CompletionStage<StatefulRedisPubSubConnection<String, byte[]>>> connector,
      ConnectionTimeouts timing,
      ReconnectBackoff reconnectBackoff,
      TimedWait timedWait,
      InstantSource time,
      long byteLimit) {
    this.deliveryQueue = new DeliveryQueue(time, byteLimit);
    this.reconnectingConnection =
        new ReconnectingConnection<>(
            "receiving",
            address,
            connector,
            new ReconnectingConnection.Owner<>() {
              @Override
              public void connected(StatefulRedisPubSubConnection<String, byte[]> fresh) {
                attach(fresh);
              }

              @Override
              public void lost(Instant lastKnownGood) {
                detach(lastKnownGood);
              }
            },
            timing,
            reconnectBackoff,
            timedWait,
            time);
  }

  void open(BusLink.Feed feed) throws BusUnavailableException, InterruptedException {
    reconnectingConnection.open();
    reader = Thread.ofVirtual().name("bus-reader").start(essential.watching(() -> read(feed)));
  }

  boolean isConnected() {
    return reconnectingConnection.connection().isPresent();
  }

  /** Returns the number of the request, which its confirmation carries. */
  long want(ChannelPattern subscription) {
    lock.lock();
    try {
      Long before = wanted.get(subscription);
      if (before != null) {
        return before;
      }
      long wish = ++wishes;
      wanted.put(subscription, wish);
      if (pubSubConnection != null) {
        pubSubConnection.subscribe(subscription, wish);
      }
      return wish;
    } finally {
      lock.unlock();
    }
  }

  void unwant(ChannelPattern subscription) {
    lock.lock();
    try {
      if (wanted.remove(subscription) != null && pubSubConnection != null) {
        pubSubConnection.unsubscribe(subscription);
      }
    } finally {
      lock.unlock();
    }
  }

  private void attach(StatefulRedisPubSubConnection<String, byte[]> fresh) {
    lock.lock();
    try {
      pubSubConnection = PubSubConnection.to(fresh, ++connections, deliveryQueue, wanted);
    } finally {
      lock.unlock();
    }
  }

  private void detach(Instant since) {
    lock.lock();
    try {
      pubSubConnection = null;
    } finally {
      lock.unlock();
    }
    deliveryQueue.add(new DeliveryQueue.Event.Lost(since));
  }

  private void read(BusLink.Feed feed) {
    FeedOrder order = new FeedOrder(feed);
    try {
      while (!closed) {
        essential.progress();
        deliveryQueue.take().forEach(event -> guarded(() -> pass(event, order)));
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void pass(DeliveryQueue.Event event, FeedOrder order) {
    essential.progress();
    order.pass(event);
  }

  private static void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      log.error("something failed on what came from the bus; the reader goes on", e);
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

    void pass(DeliveryQueue.Event event) {
      switch (event) {
        case DeliveryQueue.Event.Connected(long number) -> present = number;
        case DeliveryQueue.Event.Lost(Instant since) -> {
          present = NONE;
          feed.lost(since);
        }
        case DeliveryQueue.Event.Copy copy when copy.connection() == present ->
            feed.copy(copy.subscription(), copy.channel(), copy.body());
        case DeliveryQueue.Event.Subscribed(long number, ChannelPattern subscription, long wish)
            when number == present ->
            feed.subscribed(subscription, wish);
        case DeliveryQueue.Event.Refused(
                long number,
                ChannelPattern subscription,
                long wish,
                String why)
            when number == present ->
            feed.refused(subscription, wish, why);
        case DeliveryQueue.Event.Unsubscribed(long number, ChannelPattern subscription)
            when number == present ->
            feed.unsubscribed(subscription);
        case DeliveryQueue.Event.PartlyRestored(long number) when number == present ->
            feed.partlyRestored();
        case DeliveryQueue.Event.Restored(long number) when number == present -> feed.restored();
        case DeliveryQueue.Event.Overflow(long copies, Instant since) ->
            feed.overflowed(copies, since);
        case DeliveryQueue.Event.Copy late -> {}
        case DeliveryQueue.Event.Subscribed late -> {}
        case DeliveryQueue.Event.Refused late -> {}
        case DeliveryQueue.Event.Unsubscribed late -> {}
        case DeliveryQueue.Event.PartlyRestored late -> {}
        case DeliveryQueue.Event.Restored late -> {}
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    reconnectingConnection.close();
    Thread reading = reader;
    if (reading != null && !reading.equals(Thread.currentThread())) {
      reading.interrupt();
      try {
        reading.join(CLOSE_WITHIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
