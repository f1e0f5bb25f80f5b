package joshua.app;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.Pause;
import joshua.kernel.Running;
import joshua.kernel.Settings;
import joshua.redis.CannotStart;
import joshua.redis.EmbeddedRedis;
import joshua.ssh.mina.SshListener;
import picocli.CommandLine.Command;

/** {@code joshua up}: the whole group in one process, on an embedded Redis unless one is named. */
@Command(
    name = "up",
    description = "Run the whole group, on a Redis of its own unless JOSHUA_REDIS_URL names one.",
    footer = {
      "",
      "Examples:",
      "  joshua up",
      "  joshua up --grace-port 8100 --data-dir /srv/joshua"
    })
final class UpCommand implements Subcommand {
  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    return Foreground.run(running -> start(settings, around, running));
  }

  private static void start(Settings settings, Surroundings around, Running running)
      throws Exception {
    SshListener.prepare();
    DataDirectory data =
        running.add("data directory", DataDirectory.hold(settings.get(KnownSettings.DATA_DIR)));
    RunNotice notice = new RunNotice(data, Instant.now());
    Map<String, Integer> ports = new LinkedHashMap<>();
    RedisAddress bus = startBus(settings, data.path(), running, notice, ports);
    Map<String, Group.Started> mads = new LinkedHashMap<>();
    for (Map.Entry<String, Group.Start> mad : Group.all().entrySet()) {
      Group.Started started = mad.getValue().start(settings, bus, running);
      mads.put(mad.getKey(), started);
      ports.put(mad.getKey(), started.port());
      started.sshPort().ifPresent(port -> ports.put(mad.getKey() + "-ssh-port", port));
    }
    notice.publish(ports);
    around.out().print(new Welcome(settings, bus, mads, ports, around).text());
    around.out().flush();
    if (Foreground.endsOnceStarted()) {
      McpCommand.rehearse(settings, around);
    }
  }

  private static RedisAddress startBus(
      Settings settings, Path data, Running running, RunNotice notice, Map<String, Integer> ports)
      throws Unavailable, InterruptedException {
    Optional<RedisAddress> named = BusAddress.named(settings);
    if (named.isPresent()) {
      return named.get();
    }
    boolean explicit = settings.source(KnownSettings.REDIS_PORT) != Settings.Source.DEFAULT;
    EmbeddedRedis.Config config =
        new EmbeddedRedis.Config(data, settings.get(KnownSettings.REDIS_PORT), explicit);
    try {
      EmbeddedRedis redis = running.add("Redis", EmbeddedRedis.start(config, Pause.system()));
      redis.onRestart(pid -> notice.runsAnew(Group.REDIS, pid));
      notice.runs(Group.REDIS, redis.pid());
      ports.put(Group.REDIS, redis.port());
      return BusAddress.of(redis);
    } catch (CannotStart e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }
}
