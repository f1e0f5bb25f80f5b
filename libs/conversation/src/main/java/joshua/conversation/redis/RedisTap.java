package joshua.conversation.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusTap;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ByteRange;
import joshua.conversation.ChannelPattern;
import joshua.kernel.TimedWait;

/**
 * The tap over Redis Pub/Sub: one connection, subscribed to {@code mad.*}. Lettuce connects, logs
 * in, subscribes and pings; {@link TapReader} takes messages off before they reach it, which is why
 * it speaks RESP2: there a message has only one shape.
 */
public final class RedisTap implements BusTap {
  private final RedisAddress address;
  private final ConnectionTimeouts timing;
  private final InstantSource time;
  private final EventLoops loops = new EventLoops();
  private final ClientResources resources;
  private final RedisClient client;
  private final ReconnectingConnection<StatefulRedisPubSubConnection<String, byte[]>>
      reconnectingConnection;
  private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicBoolean sounding = new AtomicBoolean();
  private volatile Feed feed = new Nobody();
  private volatile boolean watching;
  private volatile Instant reached = Instant.MIN;

  /**
   * Creates a tap; {@link #open} starts it.
   *
   * @param envelopeLimit the largest message that is passed on whole, in bytes
   */
  public RedisTap(
      String name,
      RedisAddress address,
      long envelopeLimit,
      TimedWait timedWait,
      InstantSource time) {
    this(name, address, envelopeLimit, ConnectionTimeouts.CONTRACT, timedWait, time);
  }

  RedisTap(
      String name,
      RedisAddress address,
      long envelopeLimit,
      ConnectionTimeouts timing,
      TimedWait timedWait,
      InstantSource time) {
    this.address = address;
    this.timing = timing;
    this.time = time;
    Sink sink = new Sink();
    this.resources =
        RedisClients.resources()
            .nettyCustomizer(
                new NettyCustomizer() {
                  @Override
                  public void afterChannelInitialized(Channel connection) {
                    loops.afterChannelInitialized(connection);
                    TapReader.on(connection, envelopeLimit, sink);
                  }
                })
            .build();
    this.client = RedisClients.client(resources, address, timing, ProtocolVersion.RESP2);
    RedisURI uri = address.uriFor("joshua-" + name + "-tap", timing.openWithin());
    this.reconnectingConnection =
        new ReconnectingConnection<>(
            "tap",
            address,
            () -> client.connectPubSubAsync(RedisClients.CODEC, uri),
            new Owner(),
            timing,
            new ReconnectBackoff(new SecureRandom()),
            timedWait,
            time);
  }

  @Override
  public void open(Feed feed) throws BusUnavailableException, InterruptedException {
    this.feed = feed;
    try {
      reconnectingConnection.open();
      confirmed.get(timing.openWithin().toMillis(), TimeUnit.MILLISECONDS);
    } catch (BusUnavailableException | InterruptedException e) {
      close();
      throw e;
    } catch (ExecutionException | TimeoutException e) {
      close();
      throw RedisFaults.connecting(address, e);
    }
  }

  @Override
  public void sound() {
    Optional<StatefulRedisPubSubConnection<String, byte[]>> connection =
        reconnectingConnection.connection().filter(open -> watching);
    if (connection.isEmpty() || !sounding.compareAndSet(false, true)) {
      return;
    }
    Instant asked = time.instant();
    AsyncCommand<String, byte[], String> ping =
        new AsyncCommand<>(new Command<>(CommandType.PING, new StatusOutput<>(RedisClients.CODEC)));
    // The callback is attached before the command is sent, so it runs where the answer arrives, in
    // order with the messages.
    var _ =
        ping.whenComplete((pong, failure) -> {
          sounding.set(false);
          if (failure == null) {
            reached = asked;
            feed.reached(asked);
          }
        });
    try {
      connection.get().dispatch(ping);
    } catch (RedisException e) {
      ping.cancel();
    }
  }

  @Override
  public boolean isUsable() {
    return watching && reconnectingConnection.connection().isPresent();
  }

  @Override
  public String address() {
    return address.describe();
  }

  @Override
  public void close() {
    reconnectingConnection.close();
    loops.close();
    RedisClients.shutdown(client, resources);
  }

  private final class Owner
      implements ReconnectingConnection.Owner<StatefulRedisPubSubConnection<String, byte[]>> {
    /** Completed when the last of the connection has been passed on. */
    private CompletableFuture<Void> over = CompletableFuture.completedFuture(null);

    @Override
    public void connected(StatefulRedisPubSubConnection<String, byte[]> connection) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      over = end;
      connection.addListener(
          new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
              end.complete(null);
            }
          });
      if (!connection.isOpen()) {
        end.complete(null);
      }
      connection.addListener(
          new RedisPubSubAdapter<String, byte[]>() {
            @Override
            public void psubscribed(String pattern, long count) {
              watching = true;
              feed.watching(time.instant());
              confirmed.complete(null);
            }
          });
      var _ =
          connection
              .async()
              .psubscribe(ChannelPattern.ALL.text())
              .whenComplete((nothing, failure) -> {
                if (failure != null) {
                  confirmed.completeExceptionally(failure);
                  if (connection.isOpen()) {
                    var _ = connection.closeAsync();
                  }
                }
              });
    }

    /** Waits until the last of the connection has been passed on: nothing comes after the end. */
    @Override
    public void lost(Instant lastKnownGood) {
      over.join();
      if (watching) {
        watching = false;
        feed.away(reached.isAfter(lastKnownGood) ? reached : lastKnownGood);
      }
    }

    @Override
    public long heard() {
      return reads.getOpaque();
    }
  }

  private final class Sink implements TapReader.Sink {
    @Override
    public void message(ByteRange channel, ByteRange body) {
      feed.message(channel, body);
    }

    @Override
    public void oversized(ByteRange channel, ByteRange head, long size) {
      feed.oversized(channel, head, size);
    }

    @Override
    public void heard() {
      reads.setOpaque(reads.getOpaque() + 1);
    }
  }

  /** A feed that ignores everything, used until {@code open} sets one. */
  private static final class Nobody implements Feed {
    @Override
    public void message(ByteRange channel, ByteRange body) {}

    @Override
    public void oversized(ByteRange channel, ByteRange head, long size) {}

    @Override
    public void watching(Instant at) {}

    @Override
    public void away(Instant since) {}

    @Override
    public void reached(Instant asked) {}
  }
}
