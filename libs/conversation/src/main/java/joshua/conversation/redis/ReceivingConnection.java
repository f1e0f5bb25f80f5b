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
 * The connection that receives. When it is back after a loss, everything is subscribed to again,
 * and a ping goes behind it: Redis answers in order, so by then it has confirmed or refused each.
 * It is usable when it has confirmed all; a refusal is tried again for as long as it takes. What
 * comes before is left out; the receiver hears of the gap first, and then of newer messages. The
 * receiver is called on the connection's I/O thread.
 */
final class ReceivingConnection extends RedisPubSubAdapter<String, byte[]>
    implements RedisConnectionStateListener {
  private static final Logger log = LoggerFactory.getLogger(ReceivingConnection.class);

  private enum State {
    USABLE,
    /** Disconnected, or connected again without all subscriptions. */
    LOST,
    CLOSED
  }

  private final StatefulRedisPubSubConnection<String, byte[]> connection;
  private final RedisAddress address;
  private final InstantSource time;
  private final Receiver receiver;
  private final Set<ChannelPattern> wanted = ConcurrentHashMap.newKeySet();
  private volatile State state = State.USABLE;

  /** How often the connection was lost; what was asked before a loss says nothing after it. */
  private final AtomicInteger losses = new AtomicInteger();

  private volatile @Nullable Throwable refusal; // while Redis refuses a subscription
  private volatile Instant lastHeard; // when the last ping that was answered was sent

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

  /** Begins to listen; the connection has just been made. */
  void listen() {
    connection.addListener((RedisPubSubListener<String, byte[]>) this);
    connection.addListener((RedisConnectionStateListener) this);
  }

  /** The connection is going to be closed, which is no loss. */
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
    return withdraw(pattern);
  }

  private CompletionStage<Void> withdraw(ChannelPattern pattern) {
    return pattern.isGlob()
        ? connection.async().punsubscribe(pattern.text())
        : connection.async().unsubscribe(pattern.text());
  }

  /** Notes whether the connection works. */
  void ping() {
    if (state == State.USABLE) {
      Instant asked = time.instant();
      var unused = ping(() -> lastHeard = asked);
    }
  }

  /** Runs something when what Redis had sent until its answer has been handed on. */
  CompletionStage<Void> caughtUp(Runnable then) {
    return ping(() -> {
      if (state != State.USABLE) {
        throw new RedisException("The subscriptions aren't back yet.");
      }
      then.run();
    });
  }

  /** Subscribes to everything again, unless that is confirmed already. */
  void restore() {
    if (state == State.LOST && connection.isOpen()) {
      int lossesBefore = losses.get();
      List<CompletableFuture<Void>> subscribed =
          wanted.stream().map(each -> subscribe(each).toCompletableFuture()).toList();
      var unused =
          ping(() -> {
            if (state == State.LOST && losses.get() == lossesBefore) {
              answered(subscribed);
            }
          });
    }
  }

  private void answered(List<CompletableFuture<Void>> subscribed) {
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

  /** Why nothing is received at present, if so. */
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

  /** What is to be done at the answer is attached ahead, so it is done in the order of answers. */
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

  /** The first sign of a new connection: Lettuce subscribes again to what it knows. */
  private void confirmed(ChannelPattern pattern) {
    if (!wanted.contains(pattern)) { // it was given up while Redis was away
      var unused = withdraw(pattern);
    } else if (state == State.LOST) {
      restore();
    }
  }
}
