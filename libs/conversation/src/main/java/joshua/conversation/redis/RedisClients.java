package joshua.conversation.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
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
import java.util.concurrent.TimeUnit;

/** The setup and shutdown of Lettuce's clients, for every connection to the bus. */
final class RedisClients {
  private static final int IO_THREADS = 2;

  /**
   * The maximum number of commands under way on a connection. {@link PublisherConnection} and the
   * limit of distinct subscriptions stay below it, even with an unsubscribe for each subscription.
   */
  private static final int COMMAND_LIMIT = 150_000;

  private static final long STOP_MILLIS = 500;

  /** Channel names are read byte by byte, as Redis' globs see them; ours are ASCII only. */
  static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE);

  private RedisClients() {}

  static ClientResources.Builder resources() {
    return DefaultClientResources.builder()
        .ioThreadPoolSize(IO_THREADS)
        .computationThreadPoolSize(IO_THREADS)
        // The JVM resolves names, on the thread that connects: Netty's own resolver leaves its
        // sockets open when the threads are shut down.
        .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
        .socketAddressResolver(SocketAddressResolver.create(InetAddress::getAllByName));
  }

  static RedisClient client(
      ClientResources resources,
      RedisAddress address,
      ConnectionTimeouts timing,
      ProtocolVersion protocol) {
    RedisClient client = new AsyncClient(resources);
    client.setOptions(options(address, timing, protocol));
    return client;
  }

  private static ClientOptions options(
      RedisAddress address, ConnectionTimeouts timing, ProtocolVersion protocol) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            // ReconnectingConnection reconnects: it pings, reports gaps, and asks the Sentinels
            // again each time.
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .protocolVersion(protocol)
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

  static void shutdown(RedisClient client, ClientResources resources) {
    client.shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    resources
        .shutdown(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }
}
