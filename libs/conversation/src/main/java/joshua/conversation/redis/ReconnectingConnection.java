package joshua.conversation.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailableException;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to Redis that is re-established forever: pings detect a connection that was cut
 * silently, too (wire contract §2), and attempts have growing pauses between them.
 */
final class ReconnectingConnection<C extends StatefulRedisConnection<String, byte[]>>
    implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReconnectingConnection.class);

  /**
   * How long a close waits for the keeper thread, which is interrupted, and for the socket to
   * close.
   */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  private static final Duration ATTEMPT_ENDS_WITHIN = Duration.ofMillis(300);

  /** The owner, notified when the connection comes and goes, on the keeper thread. */
  interface Owner<C> {
    void connected(C connection);

    /** The connection is lost; it last worked at {@code lastKnownGood}. */
    void lost(Instant lastKnownGood);

    /**
     * A number that grows as long as anything arrives: a ping's reply may be late because it is
     * queued behind much else, on a connection that works.
     */
    default long heard() {
      return 0;
    }
  }

  private record Live<C>(C connection, CompletableFuture<Void> gone) {}

  private final String name;
  private final RedisAddress address;
  private final Supplier<? extends CompletionStage<C>> connector;
  private final Owner<C> owner;
  private final ConnectionTimeouts timing;
  private final ReconnectBackoff reconnectBackoff;
  private final TimedWait timedWait;
  private final InstantSource time;
  private final EssentialThread essential;
  private final Thread keeper;
  private final AtomicReference<@Nullable Live<C>> live = new AtomicReference<>();

  // Used by the keeper thread only, and before its start by the thread that opens.
  private Instant lastKnownGood;
  private int attempt;

  ReconnectingConnection(
      String name,
      RedisAddress address,
      Supplier<? extends CompletionStage<C>> connector,
      Owner<C> owner,
      ConnectionTimeouts timing,
      ReconnectBackoff reconnectBackoff,
      TimedWait timedWait,
      InstantSource time) {
    this.name = name;
    this.address = address;
    this.connector = connector;
    this.owner = owner;
    this.timing = timing;
    this.reconnectBackoff = reconnectBackoff;
    this.timedWait = timedWait;
    this.time = time;
    this.lastKnownGood = time.instant();
    this.essential = EssentialThread.slow("redis-" + name);
    this.keeper =
        Thread.ofVirtual().name("redis-" + name).unstarted(essential.watching(this::keep));
  }

  /** Connects for the first time, and stays connected from then on. */
  void open() throws BusUnavailableException, InterruptedException {
    try {
      attach(connect(timing.openWithin()));
    } catch (ExecutionException | TimeoutException e) {
      throw RedisFaults.connecting(address, e);
    }
    keeper.start();
  }

  /** The connection, if there is one. */
  Optional<C> connection() {
    return Optional.ofNullable(live.get())
        .filter(now -> !now.gone().isDone())
        .map(Live::connection);
  }

  private C connect(Duration deadline)
      throws ExecutionException, TimeoutException, InterruptedException {
    CompletableFuture<C> connecting = new CompletableFuture<>();
    // On a thread of its own, because resolving a name may block for longer than we wait.
    Thread.ofVirtual().name("redis-connect-" + name).start(() -> connect(connecting));
    try {
      return connecting.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      var _ = discarded(connecting);
      throw e;
    } catch (InterruptedException e) {
      // Closing goes on to end the I/O threads; an attempt under way still needs them.
      await(discarded(connecting));
      throw e;
    }
  }

  /** Closes a connection that comes too late. */
  private CompletableFuture<Void> discarded(CompletableFuture<C> connecting) {
    return connecting.thenCompose(late -> late.closeAsync());
  }

  private static void await(CompletableFuture<Void> ended) throws InterruptedException {
    try {
      ended.get(ATTEMPT_ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.debug("an attempt to connect ended with the close", e);
    }
  }

  private void connect(CompletableFuture<C> connecting) {
    try {
      var _ =
          connector
              .get()
              .whenComplete((connection, failure) -> {
                if (failure == null) {
                  connecting.complete(connection);
                } else {
                  connecting.completeExceptionally(failure);
                }
              });
    } catch (RuntimeException e) {
      connecting.completeExceptionally(e);
    }
  }

  private void attach(C connection) {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            gone.complete(null);
          }
        });
    if (!connection.isOpen()) {
      gone.complete(null);
    }
    lastKnownGood = time.instant();
    live.set(new Live<>(connection, gone));
    try {
      owner.connected(connection);
    } catch (RuntimeException e) {
      log.warn("the {} connection to Redis at {} failed at once", name, address.describe(), e);
      gone.complete(null);
    }
  }

  private void keep() {
    try {
      while (true) {
        Live<C> now = live.get();
        if (now != null) {
          watch(now);
          live.set(null);
          if (now.connection().isOpen()) {
            var _ = now.connection().closeAsync();
          }
          log.warn("the {} connection to Redis at {} is gone", name, address.describe());
          owner.lost(lastKnownGood);
        }
        reconnect();
        log.info("the {} connection to Redis at {} is back", name, address.describe());
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** Returns when the connection is closed or a ping isn't answered. */
  private void watch(Live<C> now) throws InterruptedException {
    while (true) {
      essential.progress();
      try {
        now.gone().get(timing.pingEvery().toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        if (!pong(now.connection())) {
          return;
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("never completed so", e);
      }
    }
  }

  private boolean pong(C connection) throws InterruptedException {
    Instant asked = time.instant();
    Future<String> pong = connection.async().ping();
    while (true) {
      long heard = owner.heard();
      try {
        pong.get(timing.pongWithin().toMillis(), TimeUnit.MILLISECONDS);
        lastKnownGood = asked;
        attempt = 0;
        return true;
      } catch (TimeoutException e) {
        essential.progress();
        if (owner.heard() == heard) {
          return false;
        }
      } catch (ExecutionException | CancellationException e) {
        return false;
      }
    }
  }

  /**
   * Pauses keep growing until a ping has been answered: a connection that fails at once doesn't
   * count.
   */
  private void reconnect() throws InterruptedException {
    while (true) {
      essential.progress();
      timedWait.pause(reconnectBackoff.before(attempt));
      attempt++;
      try {
        attach(connect(timing.connectWithin()));
        return;
      } catch (ExecutionException | TimeoutException e) {
        log.info("attempt {}: {}", attempt, RedisFaults.connecting(address, e).getMessage());
      }
    }
  }

  /** Ends within a second; everything handed to the connection before is written. */
  @Override
  public void close() {
    if (keeper.getState() == Thread.State.NEW) {
      return;
    }
    keeper.interrupt();
    try {
      keeper.join(CLOSE_WITHIN);
      Live<C> last = live.getAndSet(null);
      if (last != null && last.connection().isOpen()) {
        last.connection().closeAsync().get(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.debug(
          "the {} connection to Redis at {} was not closed well", name, address.describe(), e);
    }
  }
}
