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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.network.Tool.Audience;
import joshua.network.ValueSchema.InvalidInputException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The tools of one service, in their order, and the only way to call them: it checks the role, then
 * the input, then runs the tool (+JN-01, +JN-02).
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
  private final Map<String, List<ValueSchema>> urlMembers = new TreeMap<>();
  private final MonotonicIds ids;
  private final Counter calls;
  private final Histogram seconds;
  private final AtomicBoolean stopping;

  /** The registry of some tools, whose calls {@code metrics} counts. */
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
            .register(metrics),
        new AtomicBoolean());
  }

  private ToolRegistry(
      List<? extends Tool<?>> tools,
      MonotonicIds ids,
      Counter calls,
      Histogram seconds,
      AtomicBoolean stopping) {
    this.stopping = stopping;
    this.ids = ids;
    this.calls = calls;
    this.seconds = seconds;
    for (Tool<?> tool : tools) {
      Entry<?> entry = entry(tool);
      if (entries.put(tool.name(), entry) != null) {
        throw new IllegalArgumentException("two tools are called " + tool.name());
      }
      if (tool.isFor(Audience.MODEL)) {
        entry.input().addUrlMembers(urlMembers);
      }
    }
  }

  /** A registry of these tools and more, with the same metrics. */
  public ToolRegistry with(List<? extends Tool<?>> more) {
    List<Tool<?>> all = Stream.concat(tools(Audience.ADMIN).stream(), more.stream()).toList();
    return new ToolRegistry(all, ids, calls, seconds, new AtomicBoolean());
  }

  /** A registry of some of these tools, all for models, with the same metrics and end. */
  ToolRegistry only(List<Tool<?>> some) {
    List<? extends Tool<?>> listed =
        some.stream().map(tool -> tool.forAudience(Audience.MODEL)).toList();
    return new ToolRegistry(listed, ids, calls, seconds, stopping);
  }

  private <I extends Record> Entry<I> entry(Tool<I> tool) {
    return new Entry<>(
        tool,
        new RecordSchema<>(tool.input(), true),
        calls.labelValues(tool.name(), "ok"),
        seconds.labelValues(tool.name()));
  }

  private record Entry<I extends Record>(
      Tool<I> tool,
      RecordSchema<I> input,
      CounterDataPoint succeeded,
      DistributionDataPoint seconds) {
    CompletableFuture<ToolResult> begin(ObjectNode given, ToolCall call) {
      Optional<Refusal> forbidden = Access.refuseCall(call.caller(), tool);
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
    stopping.set(true);
  }

  /** The refusal of all calls, once it is stopped. */
  public Optional<Refusal> stopping() {
    return stopping.get() ? Optional.of(STOPPING) : Optional.empty();
  }

  /** The tools for an audience, in their order. */
  public List<Tool<?>> tools(Audience audience) {
    return entries.values().stream()
        .<Tool<?>>map(Entry::tool)
        .filter(tool -> tool.isFor(audience))
        .toList();
  }

  /** The defaults that a URL sets for its calls; {@code query} is the part after the ?. */
  public AddressDefaults defaults(@Nullable String query) {
    return query == null || query.isEmpty()
        ? AddressDefaults.NONE
        : AddressDefaults.parse(query, urlMembers);
  }

  /** The JSON Schema of a tool's input, without the members that a URL sets. */
  public ObjectNode inputSchema(Tool<?> tool, AddressDefaults defaults) {
    return new RecordSchema<>(tool.input(), true).jsonSchema(defaults);
  }

  /** The JSON Schema of a tool's successful result. */
  public ObjectNode outputSchema(Tool<?> tool) {
    return new RecordSchema<>(tool.output(), false).jsonSchema(AddressDefaults.NONE);
  }

  /** Begins a call by a program. */
  public CompletableFuture<ToolResult> begin(
      String name, ObjectNode input, Caller caller, Audience audience) {
    return begin(name, input, caller, audience, CallContext.PROGRAM);
  }

  /**
   * Begins a call, on the thread that reads the caller's connection.
   *
   * @param audience the caller's; tools of others are unknown to it
   * @return never fails, but is cancelled if the caller has gone
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
      if (refusal.code() == ErrorCode.FORBIDDEN) {
        String by = call.caller().identity().orElse("-");
        Access.audit("forbidden", by, call.tool() + ": " + refusal.message());
      }
    } else {
      entry.succeeded().inc();
    }
    // Administrators' calls are audited; to log mad_logs would feed it.
    if (log.isDebugEnabled() && entry.tool().isFor(Audience.PROGRAM)) {
      log.debug("{} called: {}, correlation id {}", call.tool(), outcome, call.correlationId());
    }
    return result;
  }

  /** The refusal of a name that isn't a tool for this audience. */
  public Optional<Refusal> unknown(String name, Audience audience) {
    Entry<?> entry = entries.get(name);
    if (entry != null && entry.tool().isFor(audience)) {
      return Optional.empty();
    }
    Audience shown = audience == Audience.ADMIN ? audience : Audience.MODEL;
    List<String> offered = tools(shown).stream().<String>map(Tool::name).toList();
    return Optional.of(
        Refusal.of(
            ErrorCode.UNKNOWN_TOOL,
            "There is no tool %s here%s; the tools are %s."
                .formatted(
                    ValueSchema.excerpt(name),
                    SpellingSuggestion.question(name, offered),
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
