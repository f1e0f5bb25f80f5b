package joshua.integration;

import java.io.IOException;
import java.nio.file.Path;
import joshua.app.redis.RedisProgram;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test, as a parameter, the Redis that all integration tests share. It starts with the
 * first of them and ends with the last. Tests that use it run side by side, so each takes names of
 * its own and asserts about nothing else; a test that stops, cuts or counts starts {@link
 * #another}.
 */
public final class SharedRedis implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RedisServer.class;
  }

  @Override
  public RedisServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(SharedRedis.class))
        .computeIfAbsent(RedisServer.class, key -> another(), RedisServer.class);
  }

  /** Starts a Redis for one test alone, with further settings. */
  public static RedisServer another(String... options) {
    try {
      return RedisServer.start(RedisProgram.find(Path.of("target", "redis")), options);
    } catch (IOException e) {
      throw new AssertionError("no Redis for the tests", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while looking for a Redis", e);
    }
  }
}
