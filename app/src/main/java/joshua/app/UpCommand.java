package joshua.app;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.LimitTable;
import joshua.kernel.Pause;
import joshua.kernel.RedisSettings;
import joshua.kernel.Running;
import joshua.kernel.Settings;
import joshua.redis.CannotStart;
import joshua.redis.EmbeddedRedis;
import joshua.ssh.mina.SshListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code joshua up}: the whole group in one process, on an embedded Redis unless one is named. */
@Command(
    name = "up",
    description = "Run the whole group, on a Redis of its own unless JOSHUA_REDIS_URL names one.",
    footer = {
      "",
      "Examples:",
      "  joshua up",
      "  joshua up -d",
      "  joshua up --grace-port 8100 --data-dir /srv/joshua",
      "  joshua up --tokens",
      "  joshua up --no-restart"
    })
final class UpCommand implements Subcommand {
  private static final String DETACHED = "--detached";
  private static final Logger log = LoggerFactory.getLogger(UpCommand.class);

  /** Read by the launcher, which is who would start it again. */
  @Option(
      names = "--no-restart",
      description =
          "Don't start the group again when it has ended by a fault; else that is done at most 3 times in 10 minutes.")
  @SuppressWarnings("UnusedVariable")
  private boolean noRestart;

  @Option(
      names = {"-d", "--detach"},
      description =
          "Run it in the background, and return when it is up, or say why it isn't. joshua logs and joshua stop go with it.")
  private boolean detach;

  /** Whether this is the process in the background; said by the one that started it. */
  @Option(names = DETACHED, hidden = true)
  private boolean detached;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--tokens",
      description =
          "Put the tokens in force that joshua token create has written into the data directory.")
  private boolean tokens;

  /** With tokens in force, any address may be listened on. */
  @Override
  public boolean listens() {
    return !tokens;
  }

  @Override
  public int run(Settings given, Surroundings around) throws Exception {
    Settings settings = tokens ? TokenStore.inForce(given) : given;
    if (detach) {
      return new DetachedStart(settings, around).run(wordsInTheBackground());
    }
    LimitTable limits = LimitCatalog.of(settings, Group.all().keySet());
    return Foreground.run(settings, running -> start(limits, around, running));
  }

  /** This call's own, so that flags mean there what they mean here. */
  private List<String> wordsInTheBackground() {
    List<String> words =
        new ArrayList<>(
            Objects.requireNonNull(spec).root().commandLine().getParseResult().originalArgs());
    words.removeIf(word -> word.equals("-d") || word.equals("--detach"));
    words.add(DETACHED);
    return words;
  }

  private void start(LimitTable wanted, Surroundings around, Running running) throws Exception {
    SshListener.prepare();
    Mad.tellShortage(wanted.plan());
    Path directory = wanted.settings().get(KnownSettings.DATA_DIR);
    DataDirectory data = running.add("data directory", DataDirectory.hold(directory));
    running.add("log file", LogFile.open(data.path(), detached));
    LastRun last = LastRun.on(data.path());
    if (!LastWords.tellOfTheLast(data.path())) {
      last.reportUncleanEnd();
    }
    Settings settings = last.awaitEnd().portsOf(wanted.settings());
    LimitTable limits = wanted.with(settings);
    RunNotice notice = new RunNotice(data, Instant.now());
    Map<String, Integer> ports = new LinkedHashMap<>();
    RedisAddress bus = startBus(settings, data.path(), running, notice, ports);
    Map<String, Group.Started> mads = new LinkedHashMap<>();
    for (Map.Entry<String, Group.Start> mad : Group.all().entrySet()) {
      Group.Started started = mad.getValue().start(limits, bus, running);
      mads.put(mad.getKey(), started);
      ports.put(mad.getKey(), started.port());
      started.sshPort().ifPresent(port -> ports.put(mad.getKey() + "-ssh-port", port));
    }
    notice.publish(ports);
    if (detached) {
      log.info(
          "Joshua {} is up{}: {}",
          Version.current(),
          LauncherSupervisor.hasRestarted() ? ", started again by its launcher" : "",
          ports);
    } else {
      limits.scaling().ifPresent(around.out()::println);
      around
          .out()
          .print(
              new Welcome(settings, bus, notice.program(Group.REDIS), mads, ports, around).text());
      around.out().flush();
    }
    if (Foreground.endsOnceStarted()) {
      McpCommand.rehearse(settings, around);
    }
  }

  private static RedisAddress startBus(
      Settings settings, Path data, Running running, RunNotice notice, Map<String, Integer> ports)
      throws Misuse, Unavailable, InterruptedException {
    Optional<RedisAddress> named = BusAddress.named(settings);
    if (named.isPresent()) {
      return named.get();
    }
    boolean explicit = settings.source(KnownSettings.REDIS_PORT) != Settings.Source.DEFAULT;
    EmbeddedRedis.Config config =
        new EmbeddedRedis.Config(
            data,
            settings.get(KnownSettings.REDIS_PORT),
            explicit,
            settings.find(RedisSettings.PROGRAM),
            settings.get(KnownSettings.ENVELOPE_LIMIT));
    try {
      EmbeddedRedis redis = running.add("Redis", EmbeddedRedis.start(config, Pause.system()));
      redis.onRestart(pid -> notice.runsAnew(Group.REDIS, pid, redis.description()));
      notice.runs(Group.REDIS, redis.pid(), redis.description());
      ports.put(Group.REDIS, redis.port());
      return BusAddress.of(redis);
    } catch (CannotStart e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }
}
