package joshua.app;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.ssh.AuthorizedKeysLocation;

/**
 * The text that {@code up} prints once everything runs: where each part listens, how to join, how
 * to stop.
 *
 * @param program that the bus runs on, if it is ours
 * @param mads by name
 * @param ports that of Redis, if it is ours, by its name
 */
record StartupBanner(
    Settings settings,
    RedisAddress bus,
    Optional<String> program,
    Map<String, MadWiring.Started> mads,
    Map<String, Integer> ports,
    ProcessEnvironment around) {

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("Joshua %s is up after %.1f s.%n%n".formatted(BuildVersion.current(), seconds()));
    new TreeMap<>(mads)
        .forEach((name, mad) ->
            text.append(
                "  %-8s http://%s:%d/mcp   ws://%2$s:%3$d/ws%n"
                    .formatted(name, host(), mad.port())));
    text.append("  %-8s %s%s%n".formatted(MadWiring.REDIS, bus.describe(), remark()));
    program.ifPresent(what -> text.append("  %-8s %s%n".formatted("", what)));
    text.append("%n".formatted());
    text.append(
        "Connect an MCP client (Claude Code, Cursor, VS Code, Codex, the Inspector):%n  ./joshua connect CLIENT%s%n%n"
            .formatted(DataDirectory.option(settings)));
    text.append("Admins:%n".formatted());
    ssh().forEach(line -> text.append("  %s%n".formatted(line)));
    AuthorizedKeysLocation.of(settings)
        .notice()
        .ifPresent(sentence -> text.append("  %s%n".formatted(sentence)));
    text.append("%n".formatted());
    if (ports.containsKey(MadWiring.REDIS)) {
      text.append(
          """
          Join with redis-cli:
            REDISCLI_AUTH=$(cat %s) redis-cli -p %d psubscribe 'mad.[bdt]*'
          """
              .formatted(shown(passwordFile()), ports.get(MadWiring.REDIS)));
    }
    text.append(
        """
        See it work, in another terminal:
          ./joshua tail%1$s
          ./joshua send mad.topic.hello '{"text":"hello"}'%1$s
          ./joshua at grace help%1$s
        Stop with Ctrl-C.
        """
            .formatted(DataDirectory.option(settings)));
    return text.toString();
  }

  /** How to connect by SSH, MAD by MAD; what is the same for all of them, once. */
  private List<String> ssh() {
    List<String> same = mads.values().stream().map(MadWiring.Started::ssh).distinct().toList();
    return same.size() == 1
        ? same
        : new TreeMap<>(mads)
            .entrySet().stream()
                .map(mad -> "%-8s %s".formatted(mad.getKey(), mad.getValue().ssh()))
                .toList();
  }

  private static double seconds() {
    Instant began = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    return Duration.between(began, Instant.now()).toMillis() / 1000.0;
  }

  private String host() {
    return settings.get(KnownSettings.BIND);
  }

  private String remark() {
    Integer port = ports.get(MadWiring.REDIS);
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

  /** A path as the user would type it. */
  private String shown(Path path) {
    Path here = around.workingDirectory();
    String text = (path.startsWith(here) ? here.relativize(path) : path).toString();
    return text.matches("[A-Za-z0-9_./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
