package joshua.conversation.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.BusTransport.Receiver;
import joshua.conversation.envelope.ChannelPattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that receives. After a reconnect all subscriptions are sent again, followed by a
 * ping: Redis answers in order, so at its answer each is confirmed or refused. The connection is
 * usable when all are confirmed; refused ones are retried without end. Messages before that are
 * dropped; the receiver gets the gap first, then newer messages, on the connection's I/O thread.
 */
final class ReceivingConnection extends RedisPubSubAdapter<String, byte[]>
    implements RedisConnectionStateListener {
  private static final Logger log = LoggerFactory.getLogger(ReceivingConnection.class);

  private enum State {
    USABLE,
    /** Disconnected, or reconnected without all subscriptions. */
    LOST,
    CLOSED
  }

  private final StatefulRedisPubSubConnection<String, byte[]> connection;
  private final RedisAddress address;
  private final InstantSource time;
  private final Receiver receiver;
  private final Set<ChannelPattern> wanted = ConcurrentHashMap.newKeySet();
  private volatile State state = State.USABLE;

  /** The number of losses: an answer from before a loss is void. */
  private final AtomicInteger losses = new AtomicInteger();

  private volatile @Nullable Throwable refusal; // while Redis refuses a subscription
  private volatile Instant lastHeard; // when the last answered ping was sent

  ReceivingConnection(
      StatefulRedisPubSubConnection<String, byte[]> connection,
      RedisAddress address,
      InstantSource time,
      Receiver receiver) {
    this.connection = connection;
    this.address = address;
    this.time = time;
    this.receiver = receiver;
    this.lastHeard = time.instant();
  }

  /** Registers the listeners on a new connection. */
  void listen() {
    connection.addListener((RedisPubSubListener<String, byte[]>) this);
    connection.addListener((RedisConnectionStateListener) this);
  }

  /** Marks the connection as closed, so that its end is no loss. */
  void stop() {
    state = State.CLOSED;
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  boolean isUsable() {
    return state == State.USABLE;
  }

  CompletionStage<Void> subscribe(ChannelPattern pattern) {
    wanted.add(pattern);
    return pattern.isGlob()
        ? connection.async().psubscribe(pattern.text())
        : connection.async().subscribe(pattern.text());
  }

  CompletionStage<Void> unsubscribe(ChannelPattern pattern) {
    wanted.remove(pattern);
    return sendUnsubscribe(pattern);
  }

  private CompletionStage<Void> sendUnsubscribe(ChannelPattern pattern) {
    return pattern.isGlob()
        ? connection.async().punsubscribe(pattern.text())
        : connection.async().unsubscribe(pattern.text());
  }

  /** Pings, and records the time if that is answered. */
  void ping() {
    if (state == State.USABLE) {
      Instant asked = time.instant();
      var unused = ping(() -> lastHeard = asked);
    }
  }

  /** Runs an action when everything that Redis sent before its answer has been passed on. */
  CompletionStage<Void> whenCaughtUp(Runnable then) {
    return ping(() -> {
      if (state != State.USABLE) {
        throw new RedisException("The subscriptions aren't back yet.");
      }
      then.run();
    });
  }

  /** Repeats all subscriptions, unless they are confirmed. */
  void resubscribe() {
    if (state == State.LOST && connection.isOpen()) {
      int lossesBefore = losses.get();
      List<CompletableFuture<Void>> subscribed =
          wanted.stream().map(each -> subscribe(each).toCompletableFuture()).toList();
      var unused =
          ping(() -> {
            if (state == State.LOST && losses.get() == lossesBefore) {
              onResubscribed(subscribed);
            }
          });
    }
  }

  private void onResubscribed(List<CompletableFuture<Void>> subscribed) {
    Optional<CompletableFuture<Void>> missing =
        subscribed.stream().filter(each -> each.state() != Future.State.SUCCESS).findFirst();
    if (missing.isEmpty()) {
      state = State.USABLE;
      refusal = null;
      log.info("the receiving connection to Redis at {} is back", address);
      receiver.onGap(lastHeard);
    } else if (missing.get().isCompletedExceptionally()) {
      boolean isNew = refusal == null;
      refusal = missing.get().exceptionNow();
      if (isNew) {
        log.warn("nothing is received: {}", problem().orElse(""));
      }
    }
  }

  /** The reason why nothing is received at present. */
  Optional<String> problem() {
    if (state == State.USABLE) {
      return Optional.empty();
    }
    Throwable refused = refusal;
    return Optional.of(
        refused == null
            ? "Redis at %s can be reached, and hasn't confirmed all subscriptions yet."
                .formatted(address)
            : RedisErrors.sentence(address, refused));
  }

  /** The action is attached before the ping is sent: actions run in the order of answers. */
  private CompletionStage<Void> ping(Runnable answered) {
    AsyncCommand<String, byte[], String> ping =
        new AsyncCommand<>(
            new Command<>(CommandType.PING, new StatusOutput<>(RedisTransport.CODEC)));
    CompletionStage<Void> done = ping.thenRun(answered);
    connection.dispatch(ping);
    return done;
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
    State before = state;
    losses.incrementAndGet();
    refusal = null;
    if (before != State.CLOSED) {
      state = State.LOST;
    }
    if (before == State.USABLE) {
      log.warn("the receiving connection to Redis at {} is gone", address);
      receiver.onGap(lastHeard);
    }
  }

  @Override
  public void message(String channel, byte[] body) {
    message(channel, channel, body);
  }

  @Override
  public void message(String pattern, String channel, byte[] body) {
    if (state == State.USABLE) {
      receiver.onCopy(pattern, channel, body);
    }
  }

  @Override
  public void subscribed(String channel, long count) {
    confirmed(new ChannelPattern(channel));
  }

  @Override
  public void psubscribed(String pattern, long count) {
    confirmed(new ChannelPattern(pattern));
  }

  /** The first event of a new connection, since Lettuce repeats the subscriptions that it knows. */
  private void confirmed(ChannelPattern pattern) {
    if (!wanted.contains(pattern)) { // it was removed while Redis was away
      var unused = sendUnsubscribe(pattern);
    } else if (state == State.LOST) {
      resubscribe();
    }
  }
}
