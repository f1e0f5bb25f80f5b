package joshua.service.admin;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import joshua.conversation.BusIdentity;
import joshua.kernel.Role;
import joshua.network.ReadinessCheck;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.admin.RecentLog.Line;
import joshua.ssh.Verb;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** What every service tells its administrators about itself (REQ-JS-03). */
public final class CommonTools {
  /** Which verbs show it. */
  public static final List<Class<? extends Verb>> VERBS =
      List.of(MadStatusVerb.class, MadStateVerb.class, MadLogsVerb.class, MadConfigVerb.class);

  private static final String OURS = "joshua_";
  private static final int SHOWN = 50;

  private CommonTools() {}

  /** What takes nothing. */
  public record Nothing() {}

  /** A part of a service, and what is the matter with it. */
  public record Problem(String part, String sentence) {}

  /** How a service is; the {@code pid} is its process's. */
  public record Status(
      String status,
      String service,
      String version,
      boolean ready,
      List<Problem> problems,
      List<Problem> remarks,
      Instant startedAt,
      long pid,
      String instance,
      String address) {}

  /** Whether a service is usable, and what should be known although it is. */
  public static Tool<Nothing> status(
      BusIdentity self, String address, List<ReadinessCheck> checks, List<ReadinessCheck> remarks) {
    return tool(
        "mad_status",
        "Says whether the service is usable, and why not.",
        Nothing.class,
        Status.class,
        Role.VIEWER,
        (input, call) -> {
          List<Problem> problems = found(checks);
          return ToolResult.success(
              new Status(
                  "success",
                  self.name(),
                  self.version(),
                  problems.isEmpty(),
                  problems,
                  found(remarks),
                  self.startedAt(),
                  ProcessHandle.current().pid(),
                  self.instance(),
                  address));
        });
  }

  private static List<Problem> found(List<ReadinessCheck> checks) {
    return checks.stream()
        .flatMap(check -> check.problem().get().map(it -> new Problem(check.name(), it)).stream())
        .toList();
  }

  /** A metric, named as Prometheus reads it. */
  public record Value(String name, long value) {}

  /** What a service counts. */
  public record State(String status, List<Value> values) {}

  /** The gauges of a service, and the counters that have counted something. */
  public static Tool<Nothing> state(PrometheusRegistry metrics) {
    return tool(
        "mad_state",
        "Shows what the service counts.",
        Nothing.class,
        State.class,
        Role.VIEWER,
        (input, call) -> ToolResult.success(new State("success", values(metrics))));
  }

  private static List<Value> values(PrometheusRegistry metrics) {
    List<Value> values = new ArrayList<>();
    for (MetricSnapshot metric : metrics.scrape(name -> name.startsWith(OURS))) {
      String name = metric.getMetadata().getName();
      for (DataPointSnapshot point : metric.getDataPoints()) {
        switch (point) {
          case CounterSnapshot.CounterDataPointSnapshot counter when counter.getValue() == 0 -> {}
          case CounterSnapshot.CounterDataPointSnapshot counter ->
              values.add(new Value(labelled(name + "_total", point), (long) counter.getValue()));
          case GaugeSnapshot.GaugeDataPointSnapshot gauge ->
              values.add(new Value(labelled(name, point), (long) gauge.getValue()));
          default -> {} // distributions are for those who draw them
        }
      }
    }
    return values;
  }

  private static String labelled(String name, DataPointSnapshot point) {
    return point.getLabels().isEmpty() ? name : name + point.getLabels();
  }

  /** Which lines to show. */
  public record LogsInput(
      @SchemaHint(min = 1, max = RecentLog.MAX_LINES) @Nullable Integer lines,
      @SchemaHint("The least level") @Nullable Level level,
      @SchemaHint(value = "Only lines after this number", min = 0) @Nullable Long after,
      @SchemaHint(value = "How long to wait for one", min = 0, max = 60_000)
          @Nullable Integer waitMs) {}

  /** Lines, oldest first. */
  public record Logs(String status, List<Line> lines) {}

  /** What the service's process has logged. */
  public static Tool<LogsInput> logs(RecentLog log) {
    return tool(
        "mad_logs",
        "Shows what the service's process has logged.",
        LogsInput.class,
        Logs.class,
        Role.OPERATOR,
        (input, call) ->
            call.runBlocking(() ->
                new ToolResult.Success(
                    new Logs(
                        "success",
                        log.after(
                            Objects.requireNonNullElse(input.after(), 0L),
                            Objects.requireNonNullElse(input.level(), Level.TRACE),
                            Objects.requireNonNullElse(input.lines(), SHOWN),
                            Duration.ofMillis(Objects.requireNonNullElse(input.waitMs(), 0)))))));
  }

  /** The settings that a service runs with. */
  public record Config(String status, List<Setting> settings) {}

  /** What a service runs with. */
  public static Tool<Nothing> config(List<Setting> settings) {
    return tool(
        "mad_config",
        "Shows what the service was configured with.",
        Nothing.class,
        Config.class,
        Role.VIEWER,
        (input, call) -> ToolResult.success(new Config("success", settings)));
  }

  private static <I extends Record> Tool<I> tool(
      String name,
      String description,
      Class<I> input,
      Class<? extends Record> output,
      Role role,
      Tool.Function<I> function) {
    return new Tool<>(
        name,
        name, // nobody is shown a title of what models aren't offered
        description,
        input,
        output,
        Tool.Audience.ADMIN,
        role,
        ToolHints.READS,
        function);
  }
}
