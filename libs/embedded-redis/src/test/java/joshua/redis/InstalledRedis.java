package joshua.redis;

import java.nio.file.Path;

/** The programs that the machine must have besides a JDK. */
final class InstalledRedis {
  private InstalledRedis() {}

  /** The distribution's own Redis; Debian's is patched and calls itself 7.0.15. */
  static Path redisServer() {
    return ExecutablePath.ofThisProcess()
        .find("redis-server")
        .orElseThrow(() -> new AssertionError("no redis-server: apt-get install redis-server"));
  }
}
