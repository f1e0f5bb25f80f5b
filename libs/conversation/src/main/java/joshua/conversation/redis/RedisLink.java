package joshua.conversation.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import joshua.conversation.BusLink;
import joshua.conversation.BusUnavailable;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.kernel.Pause;

/** The bus over Redis Pub/Sub (REQ-JC-02), by Lettuce and RESP3. */
public final class RedisLink implements BusLink {
  private static final int IO_THREADS = 2;

  /**
   * Commands that one connection may have under way. {@link PublishingEnd} and the limit of
   * distinct subscriptions keep below it, an unsubscribe for each subscription included.
   */
  private static final int COMMAND_LIMIT = 150_000;

  private static final long STOP_MILLIS = 500;

  /**
   * Channels' names are read byte by byte, as Redis' globs see them; ours have nothing but ASCII.
   */
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE);

  private final RedisAddress address;
  private final ClientResources resources;
  private final RedisClient client;
  private final PublishingEnd publishingEnd;
  private final ReceivingEnd receivingEnd;

  public RedisLink(String name, RedisAddress address, Pause pause, InstantSource time) {
    this(name, address, LineTiming.CONTRACT, pause, time);
  }

  RedisLink(String name, RedisAddress address, LineTiming timing, Pause pause, InstantSource time) {
    this.address = address;
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(IO_THREADS)
            .computationThreadPoolSize(IO_THREADS)
            // Names are looked up by the JVM, on the thread that connects: Netty's own resolver
            // leaves its sockets open when the threads are shut down.
            .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
            .socketAddressResolver(SocketAddressResolver.create(InetAddress::getAllByName))
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(options(address, timing));
    RedisURI uri = address.uriFor("joshua-" + name, timing.openWithin());
    Backoff backoff = new Backoff(new SecureRandom());
    this.publishingEnd =
        new PublishingEnd(
            address, CODEC, () -> client.connectAsync(CODEC, uri), timing, backoff, pause, time);
    this.receivingEnd =
        new ReceivingEnd(
            address, () -> client.connectPubSubAsync(CODEC, uri), timing, backoff, pause, time);
  }

  private static ClientOptions options(RedisAddress address, LineTiming timing) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            // Line reconnects: it pings, tells of gaps, and asks the Sentinels anew each time.
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .protocolVersion(ProtocolVersion.RESP3)
            .requestQueueSize(COMMAND_LIMIT)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(timing.connectWithin())
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
      publishingEnd.open();
      receivingEnd.open(feed);
    } catch (BusUnavailable | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public CompletionStage<Publication> publish(Channel channel, byte[] body) {
    return publishingEnd.publish(channel, body);
  }

  @Override
  public long want(ChannelPattern subscription) {
    return receivingEnd.want(subscription);
  }

  @Override
  public void unwant(ChannelPattern subscription) {
    receivingEnd.unwant(subscription);
  }

  @Override
  public boolean isUsable() {
    return publishingEnd.isConnected() && receivingEnd.isConnected();
  }

  @Override
  public String address() {
    return address.describe();
  }

  @Override
  public void close() {
    publishingEnd.close();
    receivingEnd.close();
    client.shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    resources
        .shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }
}
