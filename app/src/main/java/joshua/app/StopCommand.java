package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code joshua stop}: stops the group that runs on the data directory, cleanly (+DP-05). */
@Command(
    name = "stop",
    description = "Stop the group that runs on the data directory, and say what has ended.",
    footer = {
      "",
      "The same as Ctrl-C or SIGTERM: listeners close, answers under way are sent. MADs that run",
      "alone are left alone. Examples:",
      "  joshua stop",
      "  joshua stop --data-dir /srv/joshua -o json"
    })
final class StopCommand implements Subcommand {
  /** A group ends within {@link ForegroundRun#END_WITHIN}; its launcher, a moment later. */
  private static final Duration ENDS_WITHIN = ForegroundRun.END_WITHIN.plusSeconds(5);

  /** By how much the clock may have been set while the group ran. */
  private static final Duration CLOCK_CHANGE = Duration.ofSeconds(10);

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    Path data = settings.get(KnownSettings.DATA_DIR);
    RunFile run = running(data);
    ProcessHandle group = process(run, data);
    if (!group.destroy()) {
      throw new RequestRefusedException(
          "Process %d can't be stopped from here: it belongs to %s."
              .formatted(group.pid(), group.info().user().orElse("another user")));
    }
    try {
      group.onExit().get(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new ServiceUnavailableException(
          "Process %d was told to stop and still runs after %d s. End it with kill -9 %1$d."
              .formatted(group.pid(), ENDS_WITHIN.toSeconds()),
          e);
    }
    around.out().println(format.json() ? Json.write(json(run, data)) : sentence(run, data));
    return 0;
  }

  private static RunFile running(Path data) throws IOException, ServiceUnavailableException {
    return RunFile.find(data)
        .orElseThrow(() ->
            new ServiceUnavailableException(
                "No group runs on the data directory %s, so there is nothing to stop. Set JOSHUA_DATA_DIR to the directory of the one that does."
                    .formatted(data)));
  }

  /**
   * The process that holds the directory. During its start, {@code run.json} may be of the previous
   * run, whose process id another program may now have.
   */
  private static ProcessHandle process(RunFile run, Path data) throws ServiceUnavailableException {
    Instant latest = run.startedAt().plus(CLOCK_CHANGE);
    return ProcessHandle.of(run.pids().getOrDefault(RunFile.SELF, 0L))
        .filter(process ->
            process.info().startInstant().map(start -> start.isBefore(latest)).orElse(true))
        .orElseThrow(() ->
            new ServiceUnavailableException(
                "A group is starting on the data directory %s. Stop it when it is up."
                    .formatted(data)));
  }

  /** The MADs of the group; Redis is a separate process. */
  private static List<String> mads(RunFile run) {
    return KnownMad.names().stream().filter(run.ports()::containsKey).toList();
  }

  private static String sentence(RunFile run, Path data) {
    Long redis = run.pids().get(MadWiring.REDIS);
    return "stopped %s (process %d)%s on the data directory %s, up since %s"
        .formatted(
            String.join(", ", mads(run)),
            run.pids().get(RunFile.SELF),
            redis == null ? "" : " and Redis (process %d)".formatted(redis),
            data,
            run.startedAt());
  }

  private static ObjectNode json(RunFile run, Path data) {
    ObjectNode answer = Json.object();
    mads(run).forEach(answer.putArray("stopped")::add);
    ObjectNode pids = answer.putObject("pids");
    new TreeMap<>(run.pids()).forEach(pids::put);
    return answer.put("data_dir", data.toString()).put("started_at", run.startedAt().toString());
  }
}
