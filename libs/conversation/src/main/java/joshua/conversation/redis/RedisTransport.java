package joshua.conversation.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import joshua.conversation.BusTransport;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.SendResult;
import joshua.conversation.Timing;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The transport over Redis Pub/Sub, by Lettuce (REQ-JC-02). What a connection was writing when it
 * broke is never sent again (wire contract §2). Lettuce reconnects by itself, after pauses of up to
 * 10 s (REQ-JC-07). Two connections with a thread each: received messages don't delay replies to
 * sent ones.
 */
public final class RedisTransport implements BusTransport {
  /** Channel names are ISO 8859-1, a character a byte, as Redis' globs see them. */
  static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE);

  private static final int FLUSH_AFTER = 256;

  /** Publications without a reply; one more is refused. */
  private static final int MAX_PENDING = 50_000;

  private static final long STOP_MILLIS = 500;

  private final RedisAddress address;
  private final ClientResources resources;
  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> publishing;
  private final ReceivingConnection receiving;
  private volatile Throwable lastFailure = new RedisException("The connection was lost.");
  private volatile @Nullable String refusal; // of the last message, as Redis said

  private RedisTransport(
      RedisAddress address, String name, Timing timing, InstantSource time, Receiver receiver)
      throws BusUnavailableException, InterruptedException {
    this.address = address;
    this.resources = resources(timing);
    this.client = RedisClient.create(resources);
    client.setOptions(options(timing));
    var unused =
        resources
            .eventBus()
            .get()
            .ofType(ReconnectFailedEvent.class)
            .subscribe(failed -> lastFailure = failed.getCause());
    try {
      RedisURI uri = address.uri("joshua-" + name, timing.connectTimeout());
      var publish = client.connectAsync(CODEC, uri);
      var receive = client.connectPubSubAsync(CODEC, uri);
      this.publishing = connected(publish, timing);
      this.receiving = new ReceivingConnection(connected(receive, timing), address, time, receiver);
      receiving.listen();
    } catch (BusUnavailableException | InterruptedException e) {
      shutDown();
      throw e;
    }
  }

  private static ClientResources resources(Timing timing) {
    return ClientResources.builder()
        .ioThreadPoolSize(2)
        .reconnectDelay(
            Delay.fullJitter(
                Duration.ofMillis(50), Duration.ofSeconds(10), 100, TimeUnit.MILLISECONDS))
        // The JVM's own: Netty's leaves its sockets open when the threads are shut down.
        .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
        .nettyCustomizer(
            new NettyCustomizer() {
              @Override
              public void afterChannelInitialized(Channel channel) {
                channel
                    .pipeline()
                    // One write for what is published at the same time: thrice as fast.
                    .addFirst(new FlushConsolidationHandler(FLUSH_AFTER, true))
                    .addFirst(
                        new ReadTimeoutHandler(
                            timing.silenceTimeout().toMillis(), TimeUnit.MILLISECONDS));
              }
            })
        .build();
  }

  private static ClientOptions options(Timing timing) {
    return ClientOptions.builder()
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MAX_PENDING)
        .socketOptions(SocketOptions.builder().connectTimeout(timing.connectTimeout()).build())
        .build();
  }

  /** Connects to a Redis, which lists the connections as {@code joshua-NAME}. */
  public static Connector to(RedisAddress address, String name, Timing timing, InstantSource time) {
    return receiver -> new RedisTransport(address, name, timing, time, receiver);
  }

  private <C> C connected(CompletionStage<C> connecting, Timing timing)
      throws BusUnavailableException, InterruptedException {
    try {
      return connecting
          .toCompletableFuture()
          .get(timing.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw RedisErrors.unavailable(address, e);
    }
  }

  @Override
  public CompletableFuture<SendResult> publish(Envelope envelope, byte[] body) {
    Publish command = new Publish(envelope.channel().name(), body);
    try {
      publishing.dispatch(command);
    } catch (RedisException e) {
      // Too many are pending, or the transport is closed.
      return notWritten("Redis at %s does not keep up with what is sent; try again.");
    }
    if (command.refusedUnwritten) {
      return notWritten("Redis at %s is away; try again when it is back.");
    }
    return command.handle((receivers, failure) -> {
      String refused = failure == null ? null : RedisErrors.reply(failure).orElse(null);
      refusal = refused;
      if (failure == null) {
        return new SendResult.Accepted(envelope, receivers);
      }
      return refused == null
          ? new SendResult.OutcomeUnknown()
          : SendResult.notSent("Redis at %s refused the message: %s".formatted(address(), refused));
    });
  }

  private CompletableFuture<SendResult> notWritten(String why) {
    return CompletableFuture.completedFuture(SendResult.notSent(why.formatted(address)));
  }

  @Override
  public CompletableFuture<Void> subscribe(ChannelPattern pattern) {
    return answered(() -> receiving.subscribe(pattern));
  }

  @Override
  public void unsubscribe(ChannelPattern pattern) {
    // Nothing to do where Redis is away: the pattern isn't subscribed to again.
    answered(() -> receiving.unsubscribe(pattern));
  }

  @Override
  public CompletableFuture<Map<String, Long>> subscriberCounts(Collection<String> channels) {
    String[] names = channels.toArray(String[]::new);
    return answered(() -> publishing.async().pubsubNumsub(names));
  }

  @Override
  public CompletableFuture<Long> patternCount() {
    return answered(() -> publishing.async().pubsubNumpat());
  }

  @Override
  public CompletableFuture<Boolean> isCluster() {
    return answered(() -> publishing.async().info("cluster"))
        .thenApply(info -> info.contains("cluster_enabled:1"));
  }

  @Override
  public CompletableFuture<Void> whenCaughtUp(Runnable then) {
    return answered(() -> receiving.whenCaughtUp(then));
  }

  @Override
  public CompletableFuture<Void> ping() {
    receiving.ping();
    return answered(() -> publishing.async().ping()).thenApply(pong -> null);
  }

  /** The answer to a command; failures become a {@link BusUnavailableException}. */
  private <T> CompletableFuture<T> answered(Supplier<CompletionStage<T>> question) {
    try {
      return question
          .get()
          .toCompletableFuture()
          .exceptionallyCompose(failure -> unavailable(failure));
    } catch (RedisException e) {
      return unavailable(e);
    }
  }

  private <T> CompletableFuture<T> unavailable(Throwable failure) {
    return CompletableFuture.failedFuture(RedisErrors.unavailable(address, failure));
  }

  @Override
  public void resubscribe() {
    receiving.resubscribe();
  }

  @Override
  public boolean isReceiving() {
    return receiving.isUsable();
  }

  @Override
  public Optional<String> problem() {
    if (!publishing.isOpen() || !receiving.isOpen()) {
      return Optional.of(RedisErrors.sentence(address, lastFailure));
    }
    String refused = refusal;
    return receiving
        .problem()
        .or(() ->
            Optional.ofNullable(refused)
                .map(said -> "Redis at %s refuses messages (%s).".formatted(address, said)));
  }

  @Override
  public String address() {
    return address.toString();
  }

  @Override
  public void close() {
    receiving.stop();
    shutDown();
  }

  private void shutDown() {
    client.shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    resources
        .shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * A PUBLISH that records whether Lettuce refused it, which happens on the caller's thread. One
   * that fails later, on the I/O thread, may have been written.
   */
  private static final class Publish extends AsyncCommand<String, byte[], Long> {
    private final Thread caller = Thread.currentThread();
    private boolean refusedUnwritten;

    Publish(String channel, byte[] body) {
      super(
          new Command<>(
              CommandType.PUBLISH,
              new IntegerOutput<>(CODEC),
              new CommandArgs<>(CODEC).addKey(channel).addValue(body)));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
      if (caller.equals(Thread.currentThread())) {
        refusedUnwritten = true;
      }
      return super.completeExceptionally(failure);
    }
  }
}
