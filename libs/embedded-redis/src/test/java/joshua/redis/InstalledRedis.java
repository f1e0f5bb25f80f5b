package joshua.redis;

import java.nio.file.Path;

/** What the machine must have beside a JDK. */
final class InstalledRedis {
  private InstalledRedis() {}

  /** The distribution's own Redis; Debian's is mended and calls itself 7.0.15. */
  static Path redisServer() {
    return ExecutablePath.ofThisProcess()
        .find("redis-server")
        .orElseThrow(() -> new AssertionError("no redis-server: apt-get install redis-server"));
  }
}
