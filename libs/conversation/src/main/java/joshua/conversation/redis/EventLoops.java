package joshua.conversation.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import joshua.kernel.EssentialExecutor;

/** The I/O threads of one Redis client, watched from their first connection to the end. */
final class EventLoops implements NettyCustomizer, AutoCloseable {
  private final Map<EventLoop, EssentialExecutor> watched = new ConcurrentHashMap<>();

  @Override
  public void afterChannelInitialized(Channel connection) {
    watched.computeIfAbsent(
        connection.eventLoop(), loop -> EssentialExecutor.watch("redis-io", loop));
  }

  @Override
  public void close() {
    watched.values().forEach(EssentialExecutor::close);
  }
}
