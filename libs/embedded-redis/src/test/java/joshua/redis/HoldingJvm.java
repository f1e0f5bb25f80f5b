package joshua.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.TimedWait;

/**
 * The program of a JVM that holds an embedded Redis. It prints {@code port pid}; asked to end it
 * prints {@code stopping}, waits for a byte on standard input, and closes Redis.
 */
final class HoldingJvm {
  private HoldingJvm() {}

  public static void main(String[] args) throws Exception {
    EmbeddedRedis redis =
        EmbeddedRedis.start(
            new EmbeddedRedis.Config(Path.of(args[0]), 0, false), TimedWait.system());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(redis)));
    System.out.println(redis.port() + " " + redis.pid());
    new CountDownLatch(1).await();
  }

  private static void stop(EmbeddedRedis redis) {
    System.out.println("stopping");
    try {
      if (System.in.read() >= 0) {
        redis.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
