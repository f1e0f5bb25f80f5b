package joshua.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group that ran on a data directory before and left its {@code run.json} behind, because it
 * didn't shut down cleanly.
 */
record PreviousRun(Optional<RunFile> file) {
  /** The embedded Redis ends by itself after its JVM; if not within this time, it isn't ours. */
  private static final Duration REDIS_ENDS_WITHIN = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(PreviousRun.class);

  /** The previous run on a directory that this process now holds. */
  static PreviousRun on(Path dataDirectory) {
    try {
      return new PreviousRun(RunFile.find(dataDirectory));
    } catch (IOException | ServiceUnavailableException e) {
      log.debug("what the last run left can't be read", e);
      return new PreviousRun(Optional.empty());
    }
  }

  /** Logs that it ended without a clean shutdown, if there was one. */
  void reportUncleanEnd() {
    file.ifPresent(run ->
        log.warn(
            "the group before this one (process {}, started at {}) ended without stopping: it was killed, crashed, or lost its power or memory",
            run.pids().get(RunFile.SELF),
            run.startedAt()));
  }

  /** Waits until its Redis is gone, so that the port is free again. */
  PreviousRun awaitEnd() throws InterruptedException {
    Optional<ProcessHandle> redis =
        file.map(run -> run.pids().get(MadWiring.REDIS))
            .flatMap(ProcessHandle::of)
            .filter(process ->
                process.info().command().orElse("").matches(".*(redis|valkey)-server.*"));
    if (redis.isPresent()) {
      try {
        redis.get().onExit().get(REDIS_ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        log.warn("the Redis of the last run, process {}, still runs", redis.get().pid());
      }
    }
    return this;
  }

  /**
   * The same settings, but wherever any free port will do, with the previous run's ports: clients
   * that knew the group find it again. Only for a group that the launcher has restarted.
   */
  Settings portsOf(Settings wanted) {
    if (file.isEmpty() || !LauncherSupervisor.hasRestarted()) {
      return wanted;
    }
    Settings settings = wanted;
    for (Map.Entry<String, Integer> port : file.get().ports().entrySet()) {
      String key = port.getKey().endsWith("-port") ? port.getKey() : port.getKey() + "-port";
      for (Setting<?> setting : KnownSettings.list()) {
        if (setting.key().equals(key)
            && Integer.valueOf(0).equals(settings.find(setting).orElse(null))) {
          settings = changed(settings, setting, port.getValue());
        }
      }
    }
    return settings;
  }

  @SuppressWarnings("unchecked") // A setting whose value is an Integer is one of an Integer.
  private static Settings changed(Settings settings, Setting<?> setting, int port) {
    return settings.with((Setting<Integer>) setting, port);
  }
}
