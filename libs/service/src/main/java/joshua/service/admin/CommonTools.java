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

/** The administrators' tools of every service (REQ-JS-03). */
public final class CommonTools {
  /** The verbs that show their results. */
  public static final List<Class<? extends Verb>> VERBS =
      List.of(MadStatusVerb.class, MadStateVerb.class, MadLogsVerb.class, MadConfigVerb.class);

  private static final String METRIC_PREFIX = "joshua_";
  private static final int DEFAULT_LINES = 50;

  private CommonTools() {}

  /** An empty input. */
  public record Nothing() {}

  /** The problem of a part of a service. */
  public record Problem(String part, String sentence) {}

  /** The status of a service; the {@code pid} is its process's. */
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

  /** Shows whether a service is usable, and remarks. */
  public static Tool<Nothing> status(
      BusIdentity self, String address, List<ReadinessCheck> checks, List<ReadinessCheck> remarks) {
    return tool(
        "mad_status",
        "Says whether the service is usable, and why not.",
        Nothing.class,
        Status.class,
        Role.VIEWER,
        (input, call) -> {
          List<Problem> problems = problems(checks);
          return ToolResult.success(
              new Status(
                  "success",
                  self.name(),
                  self.version(),
                  problems.isEmpty(),
                  problems,
                  problems(remarks),
                  self.startedAt(),
                  ProcessHandle.current().pid(),
                  self.instance(),
                  address));
        });
  }

  private static List<Problem> problems(List<ReadinessCheck> checks) {
    return checks.stream()
        .flatMap(check -> check.problem().get().map(it -> new Problem(check.name(), it)).stream())
        .toList();
  }

  /** A metric, with its Prometheus name. */
  public record Value(String name, long value) {}

  /** The metrics of a service. */
  public record State(String status, List<Value> values) {}

  /** Shows the gauges of a service, and the counters that aren't zero. */
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
    for (MetricSnapshot metric : metrics.scrape(name -> name.startsWith(METRIC_PREFIX))) {
      String name = metric.getMetadata().getName();
      for (DataPointSnapshot point : metric.getDataPoints()) {
        switch (point) {
          case CounterSnapshot.CounterDataPointSnapshot counter when counter.getValue() == 0 -> {}
          case CounterSnapshot.CounterDataPointSnapshot counter ->
              values.add(new Value(labelled(name + "_total", point), (long) counter.getValue()));
          case GaugeSnapshot.GaugeDataPointSnapshot gauge ->
              values.add(new Value(labelled(name, point), (long) gauge.getValue()));
          default -> {} // distributions need a chart
        }
      }
    }
    return values;
  }

  private static String labelled(String name, DataPointSnapshot point) {
    return point.getLabels().isEmpty() ? name : name + point.getLabels();
  }

  /** The choice of log lines. */
  public record LogsInput(
      @SchemaHint(min = 1, max = RecentLog.MAX_LINES) @Nullable Integer lines,
      @SchemaHint("The least level") @Nullable Level level,
      @SchemaHint(value = "Only lines after this number", min = 0) @Nullable Long after,
      @SchemaHint(value = "How long to wait for one", min = 0, max = 60_000)
          @Nullable Integer waitMs) {}

  /** Log lines, oldest first. */
  public record Logs(String status, List<Line> lines) {}

  /** Shows recent log lines of the service's process. */
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
                            Objects.requireNonNullElse(input.lines(), DEFAULT_LINES),
                            Duration.ofMillis(Objects.requireNonNullElse(input.waitMs(), 0)))))));
  }

  /** The settings that a service runs with. */
  public record Config(String status, List<Setting> settings) {}

  /** Shows the settings of a service. */
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
        name, // titles are only shown for models' tools
        description,
        input,
        output,
        Tool.Audience.ADMIN,
        role,
        ToolHints.READS,
        function);
  }
}
