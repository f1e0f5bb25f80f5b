package joshua.app;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/** What {@code up} says once everything runs: who listens where, how to join, how to stop. */
record Welcome(
    Settings settings, RedisAddress bus, Map<String, Integer> ports, Surroundings around) {

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("Joshua %s is up after %.1f s.%n%n".formatted(Version.current(), seconds()));
    ports.forEach((name, port) -> {
      if (!name.equals(Group.REDIS)) {
        text.append(
            "  %-8s ws://%s:%d/ws   http://%2$s:%3$d/readyz%n".formatted(name, host(), port));
      }
    });
    text.append("  %-8s %s%s%n%n".formatted(Group.REDIS, bus.describe(), remark()));
    if (ports.containsKey(Group.REDIS)) {
      text.append(
          """
          Join with redis-cli:
            REDISCLI_AUTH=$(cat %s) redis-cli -p %d psubscribe 'mad.*'
          """
              .formatted(shown(passwordFile()), ports.get(Group.REDIS)));
    }
    text.append(
        """
        See it work, in another terminal:
          ./joshua tail
          ./joshua send mad.topic.hello '{"text":"hello"}'
        Stop with Ctrl-C.
        """);
    return text.toString();
  }

  private static double seconds() {
    Instant began = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    return Duration.between(began, Instant.now()).toMillis() / 1000.0;
  }

  private String host() {
    return settings.get(KnownSettings.BIND);
  }

  private String remark() {
    Integer port = ports.get(Group.REDIS);
    if (port == null) {
      return "";
    }
    int wanted = settings.get(KnownSettings.REDIS_PORT);
    return wanted == 0 || wanted == port
        ? " (embedded)"
        : " (embedded; port %d was in use)".formatted(wanted);
  }

  private Path passwordFile() {
    return settings.get(KnownSettings.DATA_DIR).resolve("redis.password");
  }

  /** A path as the reader would type it. */
  private String shown(Path path) {
    Path here = around.workingDirectory();
    String text = (path.startsWith(here) ? here.relativize(path) : path).toString();
    return text.matches("[A-Za-z0-9_./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
