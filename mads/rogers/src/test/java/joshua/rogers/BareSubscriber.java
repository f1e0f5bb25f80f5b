package joshua.rogers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import joshua.testing.RealRedis;

/** A subscriber to {@code mad.*} by plain Lettuce, which does nothing but count. */
public final class BareSubscriber implements AutoCloseable {
  private final RedisClient client;
  private final AtomicLong count = new AtomicLong();

  public BareSubscriber(RealRedis redis) {
    RedisURI uri = RedisURI.create(redis.url());
    uri.setCredentialsProvider(
        RedisCredentialsProvider.from(() -> RedisCredentials.just(null, redis.password())));
    client = RedisClient.create(uri);
    StatefulRedisPubSubConnection<byte[], byte[]> connection =
        client.connectPubSub(ByteArrayCodec.INSTANCE);
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(byte[] pattern, byte[] channel, byte[] message) {
            count.setOpaque(count.getPlain() + 1);
          }
        });
    connection.sync().psubscribe("mad.*".getBytes(StandardCharsets.US_ASCII));
  }

  public long count() {
    return count.getOpaque();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
