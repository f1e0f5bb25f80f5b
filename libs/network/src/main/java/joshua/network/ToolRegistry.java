package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.Timer;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.network.JsonForm.InvalidInputException;
import joshua.network.Tool.Audience;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The tools of one service, in the order in which they were given, and the only way to call them:
 * role, then input, then the tool (+JN-01, +JN-02).
 *
 * <p>If a tool throws, its result is {@code internal} with the correlation id, and the cause is
 * logged here, once.
 */
public final class ToolRegistry {
  private static final Logger log = LoggerFactory.getLogger(ToolRegistry.class);
  private static final String CORRELATION_ID = "correlation_id";
  private static final Refusal STOPPING =
      Refusal.of(
          ErrorCode.UNAVAILABLE, "The service stops; try again in some seconds, when it is back.");

  private final Map<String, Entry<?>> entries = new LinkedHashMap<>();
  private final Map<String, List<JsonForm>> takenFromUrls = new TreeMap<>();
  private final MonotonicIds ids;
  private final Counter calls;
  private final Histogram seconds;
  private volatile boolean stopping;

  /** The registry of some tools, whose calls are counted in {@code metrics}. */
  public ToolRegistry(
      List<? extends Tool<?>> tools, InstantSource time, PrometheusRegistry metrics) {
    this(
        tools,
        new MonotonicIds(time),
        Counter.builder()
            .name("joshua_tool_calls_total")
            .help("Calls of tools that have been answered; outcome is ok or an error's code.")
            .labelNames("tool", "outcome")
            .register(metrics),
        Histogram.builder()
            .name("joshua_tool_call_seconds")
            .help("How long calls took, waits that were asked for among them.")
            .labelNames("tool")
            .classicOnly()
            .register(metrics));
  }

  private ToolRegistry(
      List<? extends Tool<?>> tools, MonotonicIds ids, Counter calls, Histogram seconds) {
    this.ids = ids;
    this.calls = calls;
    this.seconds = seconds;
    for (Tool<?> tool : tools) {
      Entry<?> entry = entry(tool);
      if (entries.put(tool.name(), entry) != null) {
        throw new IllegalArgumentException("two tools are called " + tool.name());
      }
      if (tool.isFor(Audience.MODEL)) {
        entry.input().addTaken(takenFromUrls);
      }
    }
  }

  /** These tools and more, which are counted with them. */
  public ToolRegistry with(List<? extends Tool<?>> more) {
    List<Tool<?>> all = Stream.concat(tools(Audience.ADMIN).stream(), more.stream()).toList();
    return new ToolRegistry(all, ids, calls, seconds);
  }

  private <I extends Record> Entry<I> entry(Tool<I> tool) {
    return new Entry<>(
        tool,
        new RecordForm<>(tool.input(), true),
        calls.labelValues(tool.name(), "ok"),
        seconds.labelValues(tool.name()));
  }

  private record Entry<I extends Record>(
      Tool<I> tool,
      RecordForm<I> input,
      CounterDataPoint succeeded,
      DistributionDataPoint seconds) {
    CompletableFuture<ToolResult> begin(ObjectNode given, ToolCall call) {
      Optional<Refusal> forbidden = Access.toCall(call.caller(), tool);
      if (forbidden.isPresent()) {
        return ToolResult.refused(forbidden.get());
      }
      try {
        I read = input.read(given, "", call.caller().connection().defaults());
        Timer timer = seconds.startTimer();
        return tool.function()
            .begin(read, call)
            .whenComplete((result, failure) -> timer.observeDuration());
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

  /** Refuses all calls from now on. */
  public void stop() {
    stopping = true;
  }

  /** Why all calls are refused, if they are. */
  public Optional<Refusal> stopping() {
    return stopping ? Optional.of(STOPPING) : Optional.empty();
  }

  /** The tools that somebody is offered, in their order. */
  public List<Tool<?>> tools(Audience audience) {
    return entries.values().stream()
        .<Tool<?>>map(Entry::tool)
        .filter(tool -> tool.isFor(audience))
        .toList();
  }

  /** What an address gives the calls that come by it; the query is what stands behind its ?. */
  public AddressDefaults defaults(@Nullable String query) {
    return query == null || query.isEmpty()
        ? AddressDefaults.NONE
        : AddressDefaults.parse(query, takenFromUrls);
  }

  /** The JSON Schema of what a tool takes, without what an address gives. */
  public ObjectNode inputSchema(Tool<?> tool, AddressDefaults defaults) {
    return new RecordForm<>(tool.input(), true).schema(defaults);
  }

  /** The JSON Schema of what a tool answers when it succeeds. */
  public ObjectNode outputSchema(Tool<?> tool) {
    return new RecordForm<>(tool.output(), false).schema(AddressDefaults.NONE);
  }

  /** Begins a call of a program. */
  public CompletableFuture<ToolResult> begin(
      String name, ObjectNode input, Caller caller, Audience audience) {
    return begin(name, input, caller, audience, CallContext.PROGRAM);
  }

  /**
   * Begins a call, on the thread that reads the caller's connection.
   *
   * @param audience who calls; whoever isn't an administrator has none of their tools
   * @return never fails, but is cancelled where the caller has gone
   */
  public CompletableFuture<ToolResult> begin(
      String name, ObjectNode input, Caller caller, Audience audience, CallContext context) {
    Optional<Refusal> unknown =
        stopping()
            .or(() -> caller.connection().defaults().problem())
            .or(() -> unknown(name, audience));
    if (unknown.isPresent()) {
      return ToolResult.refused(unknown.get());
    }
    Entry<?> entry = Objects.requireNonNull(entries.get(name));
    ToolCall call = new ToolCall(name, caller, correlationId(input), context);
    try (var _ = MDC.putCloseable(ToolCall.LOG_KEY, call.correlationId().toString())) {
      return entry
          .begin(input, call)
          .handle((result, failure) ->
              counted(entry, call, failure == null ? result : failed(call, failure)));
    }
  }

  private ToolResult counted(Entry<?> entry, ToolCall call, ToolResult result) {
    String outcome = "ok";
    if (result instanceof ToolResult.Refused(Refusal refusal)) {
      outcome = refusal.code().wireName();
      calls.labelValues(call.tool(), outcome).inc();
    } else {
      entry.succeeded().inc();
    }
    // Administrators' calls are audited; a line for mad_logs would be one more for it to show.
    if (log.isDebugEnabled() && entry.tool().isFor(Audience.PROGRAM)) {
      log.debug("{} called: {}, correlation id {}", call.tool(), outcome, call.correlationId());
    }
    return result;
  }

  /** Why somebody can't call a tool of that name, if it isn't there for them. */
  public Optional<Refusal> unknown(String name, Audience audience) {
    Entry<?> entry = entries.get(name);
    if (entry != null && entry.tool().isFor(audience)) {
      return Optional.empty();
    }
    Audience shown = audience == Audience.ADMIN ? audience : Audience.MODEL;
    List<String> offered = tools(shown).stream().<String>map(Tool::name).toList();
    Optional<String> nearest = SpellingSuggestion.nearest(name, offered);
    return Optional.of(
        Refusal.of(
            ErrorCode.UNKNOWN_TOOL,
            "There is no tool %s here%s; the tools are %s."
                .formatted(
                    JsonForm.excerpt(name),
                    nearest.map(" (did you mean %s?)"::formatted).orElse(""),
                    String.join(", ", offered))));
  }

  private UUID correlationId(ObjectNode input) {
    UUID id = Identifiers.parseUuid(input.path(CORRELATION_ID).asText());
    return id == null ? ids.next() : id;
  }

  private static ToolResult failed(ToolCall call, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new ToolResult.Refused(
        switch (cause) {
          case CancellationException cancelled -> throw cancelled;
          case RefusalException refused -> refused.refusal();
          case InvalidInputException e -> Refusal.of(ErrorCode.INVALID_INPUT, e.getMessage() + ".");
          default -> {
            String id = call.correlationId().toString();
            log.error("{} failed, correlation id {}", call.tool(), id, cause);
            String sentence =
                "The tool failed inside the service; its log tells more under correlation id " + id;
            yield Refusal.of(ErrorCode.INTERNAL, sentence + ".")
                .with(CORRELATION_ID, TextNode.valueOf(id));
          }
        });
  }
}
