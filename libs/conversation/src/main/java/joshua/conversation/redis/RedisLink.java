package joshua.conversation.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailable;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.kernel.Pause;

/** The bus over Redis Pub/Sub (REQ-JC-02), by Lettuce and RESP3. */
public final class RedisLink implements BusLink {
  /** How long a PUBLISH waits for its reply; then its outcome is unknown. */
  static final Duration REPLY_WITHIN = Duration.ofSeconds(3);

  /** PUBLISHes that wait for their replies; one more is refused unwritten. */
  private static final int REQUEST_LIMIT = 50_000;

  private static final int IO_THREADS = 2;
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final RedisAddress address;
  private final ClientResources resources;
  private final RedisClient client;
  private final Line<StatefulRedisConnection<String, byte[]>> publishing;
  private final ReceivingEnd receivingEnd;

  public RedisLink(String name, RedisAddress address, Pause pause, InstantSource time) {
    this.address = address;
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(IO_THREADS)
            .computationThreadPoolSize(IO_THREADS)
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(options(address));
    address.uri().setClientName("joshua-" + name);
    Backoff backoff = new Backoff(new SecureRandom());
    this.publishing =
        new Line<>(
            "publishing",
            address,
            () -> client.connectAsync(CODEC, address.uri()),
            new Line.Owner<>() {
              @Override
              public void connected(StatefulRedisConnection<String, byte[]> connection) {}

              @Override
              public void lost(java.time.Instant lastKnownGood) {}
            },
            backoff,
            pause,
            time);
    this.receivingEnd =
        new ReceivingEnd(
            address, () -> client.connectPubSubAsync(CODEC, address.uri()), backoff, pause, time);
  }

  private static ClientOptions options(RedisAddress address) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            // Line reconnects: it pings, tells of gaps, and asks the Sentinels anew each time.
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .protocolVersion(ProtocolVersion.RESP3)
            .requestQueueSize(REQUEST_LIMIT)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(Line.CONNECT_WITHIN)
                    .keepAlive(true)
                    .tcpNoDelay(true)
                    .build());
    address
        .certificateAuthority()
        .ifPresent(file ->
            options.sslOptions(
                SslOptions.builder().jdkSslProvider().trustManager(file.toFile()).build()));
    return options.build();
  }

  @Override
  public void open(Feed feed) throws BusUnavailable, InterruptedException {
    try {
      publishing.open();
      receivingEnd.open(feed);
    } catch (BusUnavailable | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public CompletionStage<Publication> publish(Channel channel, byte[] body) {
    Optional<StatefulRedisConnection<String, byte[]>> connection = publishing.connection();
    if (connection.isEmpty()) {
      return notWritten(
          "Redis at %s is away; try again when it is back.".formatted(address.describe()));
    }
    RedisFuture<Long> reply;
    try {
      reply = connection.get().async().publish(channel.name(), body);
    } catch (io.lettuce.core.RedisException e) {
      return notWritten("Redis at %s does not take more now.".formatted(address.describe()));
    }
    CompletableFuture<Long> replied = reply.toCompletableFuture();
    if (replied.isCompletedExceptionally()) {
      // Refused before it was written: there was no connection, or no place in its queue.
      return notWritten(
          "Redis at %s is away; try again when it is back.".formatted(address.describe()));
    }
    return replied
        .thenApply(receivers -> (Publication) new Publication.Accepted(receivers))
        .orTimeout(REPLY_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(this::failed);
  }

  private Publication failed(Throwable failure) {
    return RedisFaults.reply(failure)
        .<Publication>map(error ->
            new Publication.NotWritten(
                "Redis at %s refused the message: %s".formatted(address.describe(), error)))
        .orElseGet(Publication.OutcomeUnknown::new);
  }

  private static CompletionStage<Publication> notWritten(String why) {
    return CompletableFuture.completedFuture(new Publication.NotWritten(why));
  }

  @Override
  public void want(ChannelPattern subscription) {
    receivingEnd.want(subscription);
  }

  @Override
  public void unwant(ChannelPattern subscription) {
    receivingEnd.unwant(subscription);
  }

  @Override
  public boolean isUsable() {
    return publishing.connection().isPresent() && receivingEnd.isConnected();
  }

  @Override
  public String address() {
    return address.describe();
  }

  @Override
  public void close() {
    publishing.close();
    receivingEnd.close();
    client.shutdown(0, 1, TimeUnit.SECONDS);
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
  }
}
