package joshua.integration;

import joshua.testing.RedisServer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the group that all integration tests share, and the Redis of that group, which is
 * another than {@link SharedRedis}: a relay taps its Redis, and Redis counts it as a receiver of
 * every message.
 */
public final class SharedGroup implements ParameterResolver {
  private record Shared(RedisServer redis, TestGroup group) implements AutoCloseable {
    @Override
    public void close() {
      group.close();
      redis.close();
    }
  }

  private static Shared start() {
    RedisServer redis = SharedRedis.another();
    return new Shared(redis, new TestGroup(redis));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestGroup.class || type == RedisServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Shared shared =
        context
            .getRoot()
            .getStore(Namespace.create(SharedGroup.class))
            .computeIfAbsent(Shared.class, key -> start(), Shared.class);
    return parameter.getParameter().getType() == TestGroup.class ? shared.group() : shared.redis();
  }
}
