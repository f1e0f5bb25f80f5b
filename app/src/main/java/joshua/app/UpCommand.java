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
import joshua.kernel.RedisSettings;
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.redis.CannotStartException;
import joshua.redis.EmbeddedRedis;
import joshua.ssh.mina.SshListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code joshua up}: runs the whole group in one process, on an embedded Redis unless one is named.
 */
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

  /** Read by the launcher, which would do the restart. */
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

  /** Whether this is the process in the background; set by the process that started it. */
  @Option(names = DETACHED, hidden = true)
  private boolean detached;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--tokens",
      description =
          "Put the tokens in force that joshua token create has written into the data directory.")
  private boolean tokens;

  /** With tokens in force, listening on any address is allowed. */
  @Override
  public boolean listens() {
    return !tokens;
  }

  @Override
  public int run(Settings given, ProcessEnvironment around) throws Exception {
    Settings settings = tokens ? TokenStore.inForce(given) : given;
    if (detach) {
      return new DetachedStart(settings, around).run(wordsInTheBackground());
    }
    LimitTable limits = LimitCatalog.of(settings, MadWiring.all().keySet());
    return ForegroundRun.run(settings, serviceLifecycle -> start(limits, around, serviceLifecycle));
  }

  /** The arguments of this call, so that flags mean the same in the background process. */
  private List<String> wordsInTheBackground() {
    List<String> words =
        new ArrayList<>(
            Objects.requireNonNull(spec).root().commandLine().getParseResult().originalArgs());
    words.removeIf(word -> word.equals("-d") || word.equals("--detach"));
    words.add(DETACHED);
    return words;
  }

  private void start(
      LimitTable wanted, ProcessEnvironment around, ServiceLifecycle serviceLifecycle)
      throws Exception {
    SshListener.prepare();
    MadRuntime.tellShortage(wanted.plan());
    Path directory = wanted.settings().get(KnownSettings.DATA_DIR);
    DataDirectory data = serviceLifecycle.add("data directory", DataDirectory.hold(directory));
    serviceLifecycle.add("log file", LogFile.open(data.path(), detached));
    PreviousRun last = PreviousRun.on(data.path());
    if (!WatchdogExit.tellOfTheLast(data.path())) {
      last.reportUncleanEnd();
    }
    Settings settings = last.awaitEnd().portsOf(wanted.settings());
    LimitTable limits = wanted.with(settings);
    RunFileWriter notice = new RunFileWriter(data, Instant.now());
    Map<String, Integer> ports = new LinkedHashMap<>();
    RedisAddress bus = startBus(settings, data.path(), serviceLifecycle, notice, ports);
    Map<String, MadWiring.Started> mads = new LinkedHashMap<>();
    for (Map.Entry<String, MadWiring.Start> mad : MadWiring.all().entrySet()) {
      MadWiring.Started started = mad.getValue().start(limits, bus, serviceLifecycle);
      mads.put(mad.getKey(), started);
      ports.put(mad.getKey(), started.port());
      started.sshPort().ifPresent(port -> ports.put(mad.getKey() + "-ssh-port", port));
    }
    notice.publish(ports);
    if (detached) {
      log.info(
          "Joshua {} is up{}: {}",
          BuildVersion.current(),
          LauncherSupervisor.hasRestarted() ? ", started again by its launcher" : "",
          ports);
    } else {
      limits.scaling().ifPresent(around.out()::println);
      around
          .out()
          .print(
              new StartupBanner(settings, bus, notice.program(MadWiring.REDIS), mads, ports, around)
                  .text());
      around.out().flush();
    }
    if (ForegroundRun.endsOnceStarted()) {
      McpCommand.rehearse(settings, around);
    }
  }

  private static RedisAddress startBus(
      Settings settings,
      Path data,
      ServiceLifecycle serviceLifecycle,
      RunFileWriter notice,
      Map<String, Integer> ports)
      throws UsageException, ServiceUnavailableException, InterruptedException {
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
      EmbeddedRedis redis =
          serviceLifecycle.add("Redis", EmbeddedRedis.start(config, TimedWait.system()));
      redis.onRestart(pid -> notice.runsAnew(MadWiring.REDIS, pid, redis.description()));
      notice.runs(MadWiring.REDIS, redis.pid(), redis.description());
      ports.put(MadWiring.REDIS, redis.port());
      return BusAddress.of(redis);
    } catch (CannotStartException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }
}
