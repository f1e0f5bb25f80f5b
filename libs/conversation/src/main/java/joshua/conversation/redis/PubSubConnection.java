package joshua.conversation.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import joshua.conversation.ChannelPattern;
import org.jspecify.annotations.Nullable;

/**
 * One receiving connection from its start to its end: the subscription requests under way on it,
 * and what it brings, put into the delivery queue.
 *
 * <p>Lettuce calls the listener on its I/O thread, so it only hands over, and takes no lock except
 * that of the queue.
 */
final class PubSubConnection extends RedisPubSubAdapter<String, byte[]> {
  /** How many commands are written together when all subscriptions are restored. */
  private static final int BATCH = 1_000;

  private final long number;
  private final StatefulRedisPubSubConnection<String, byte[]> connection;
  private final DeliveryQueue deliveryQueue;

  /** The requests without a confirmation yet, in the order of their commands. */
  private final Map<ChannelPattern, Queue<Long>> underWay = new ConcurrentHashMap<>();

  /** The subscriptions by their text, by which a message names its subscription. */
  private final Map<String, ChannelPattern> subscriptions = new ConcurrentHashMap<>();

  private PubSubConnection(
      long number,
      StatefulRedisPubSubConnection<String, byte[]> connection,
      DeliveryQueue deliveryQueue) {
    this.number = number;
    this.connection = connection;
    this.deliveryQueue = deliveryQueue;
  }

  /** Subscribes to everything that is wanted, on a fresh connection. */
  static PubSubConnection to(
      StatefulRedisPubSubConnection<String, byte[]> connection,
      long number,
      DeliveryQueue deliveryQueue,
      Map<ChannelPattern, Long> wanted) {
    PubSubConnection pubSubConnection = new PubSubConnection(number, connection, deliveryQueue);
    deliveryQueue.add(new DeliveryQueue.Event.Connected(number));
    connection.addListener(pubSubConnection);
    pubSubConnection.subscribeAll(wanted);
    // Redis answers in order: after this answer every subscription has been confirmed.
    var _ =
        connection
            .async()
            .ping()
            .thenRun(() -> deliveryQueue.add(new DeliveryQueue.Event.Restored(number)));
    return pubSubConnection;
  }

  /** Written in batches: each flush is a system call, and a full set has tens of thousands. */
  private void subscribeAll(Map<ChannelPattern, Long> wanted) {
    connection.setAutoFlushCommands(false);
    try {
      int written = 0;
      for (Map.Entry<ChannelPattern, Long> wish : wanted.entrySet()) {
        subscribe(wish.getKey(), wish.getValue());
        if (++written % BATCH == 0) {
          connection.flushCommands();
        }
      }
    } finally {
      connection.setAutoFlushCommands(true);
      connection.flushCommands();
    }
  }

  /** One command for each, so that a refusal by Redis affects no other subscription. */
  void subscribe(ChannelPattern subscription, long wish) {
    subscriptions.put(subscription.text(), subscription);
    underWay.compute(
        subscription,
        (key, queue) -> {
          Queue<Long> wishes = queue == null ? new ArrayDeque<>(1) : queue;
          wishes.add(wish);
          return wishes;
        });
    RedisPubSubAsyncCommands<String, byte[]> commands = connection.async();
    var _ =
        (subscription.isGlob()
                ? commands.psubscribe(subscription.text())
                : commands.subscribe(subscription.text()))
            .whenComplete((nothing, failure) -> {
              if (failure != null) {
                refused(subscription, failure);
              }
            });
  }

  void unsubscribe(ChannelPattern subscription) {
    RedisPubSubAsyncCommands<String, byte[]> commands = connection.async();
    var _ =
        (subscription.isGlob()
                ? commands.punsubscribe(subscription.text())
                : commands.unsubscribe(subscription.text()))
            .whenComplete((nothing, failure) -> {
              if (failure != null) {
                giveUp();
              }
            });
  }

  /** A command was not executed: the connection is useless, and the next one makes up for it. */
  private void giveUp() {
    if (connection.isOpen()) {
      var _ = connection.closeAsync();
    }
  }

  private void refused(ChannelPattern subscription, Throwable failure) {
    Optional<String> reply = RedisFaults.reply(failure);
    Long wish = settled(subscription);
    if (reply.isEmpty()) {
      giveUp();
    } else if (wish != null) {
      deliveryQueue.add(new DeliveryQueue.Event.Refused(number, subscription, wish, reply.get()));
    }
  }

  private @Nullable Long settled(ChannelPattern subscription) {
    Long[] wish = new Long[1];
    underWay.computeIfPresent(
        subscription,
        (key, wishes) -> {
          wish[0] = wishes.poll();
          return wishes.isEmpty() ? null : wishes;
        });
    return wish[0];
  }

  private ChannelPattern named(String text) {
    ChannelPattern known = subscriptions.get(text);
    return known == null ? new ChannelPattern(text) : known;
  }

  private void confirmed(String text) {
    ChannelPattern subscription = named(text);
    Long wish = settled(subscription);
    if (wish != null) {
      deliveryQueue.add(new DeliveryQueue.Event.Subscribed(number, subscription, wish));
    }
  }

  private void ended(String text) {
    deliveryQueue.add(new DeliveryQueue.Event.Unsubscribed(number, named(text)));
    // If it is wanted again by now, this only makes its look-up slower.
    subscriptions.remove(text);
  }

  @Override
  public void message(String channel, byte[] body) {
    deliveryQueue.add(new DeliveryQueue.Event.Copy(number, named(channel), channel, body));
  }

  @Override
  public void message(String pattern, String channel, byte[] body) {
    deliveryQueue.add(new DeliveryQueue.Event.Copy(number, named(pattern), channel, body));
  }

  @Override
  public void subscribed(String channel, long count) {
    confirmed(channel);
  }

  @Override
  public void psubscribed(String pattern, long count) {
    confirmed(pattern);
  }

  @Override
  public void unsubscribed(String channel, long count) {
    ended(channel);
  }

  @Override
  public void punsubscribed(String pattern, long count) {
    ended(pattern);
  }
}
