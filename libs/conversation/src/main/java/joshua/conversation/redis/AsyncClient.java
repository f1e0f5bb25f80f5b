package joshua.conversation.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;

/**
 * A client whose connections have no synchronous commands: {@code sync()} returns null. Lettuce
 * builds a proxy of all of Redis' commands for them with the first connection of each kind, which
 * took a sixth of a MAD's start, and no caller here waits for Redis that way.
 */
@SuppressWarnings("NullAway")
final class AsyncClient extends RedisClient {
  AsyncClient(ClientResources resources) {
    super(resources, new RedisURI());
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new StatefulRedisConnectionImpl<>(writer, pushes, codec, timeout) {
      @Override
      protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }
    };
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new StatefulRedisPubSubConnectionImpl<>(endpoint, writer, codec, timeout) {
      @Override
      protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }
    };
  }
}
