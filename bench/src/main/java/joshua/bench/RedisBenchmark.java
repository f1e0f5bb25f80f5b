package joshua.bench;

import java.io.IOException;
import java.util.List;
import joshua.testing.RedisServer;

/** {@code redis-benchmark}: what one may publish without Joshua. */
final class RedisBenchmark {
  private static final int MESSAGES = 150_000;

  private RedisBenchmark() {}

  static boolean isInstalled() throws InterruptedException {
    try {
      Process process = new ProcessBuilder("redis-benchmark", "--version").start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Publications a second of 32 connections, each of which awaits an answer before it goes on. */
  static double publications(RedisServer redis, String payload)
      throws IOException, InterruptedException {
    String command =
        "redis-benchmark -p %d -a %s -c 32 -n %d --csv PUBLISH bench %s"
            .formatted(redis.port(), redis.password(), MESSAGES, payload);
    Process process =
        new ProcessBuilder(command.split(" ", -1))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("redis-benchmark failed");
    }
    return Double.parseDouble(
        lines.getLast().split("\",\"", 3)[1]); // "PUBLISH …","65900.00","0.4",…
  }
}
