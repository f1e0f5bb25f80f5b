package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.network.CallContext.UnansweredException;
import joshua.network.Tool.Audience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The tools of one service, in the order in which they were given, and the only way to call them:
 * role, then input, then the tool (+JN-01, +JN-02). Immutable.
 *
 * <p>If a tool throws, its result is {@code internal} with the correlation id, and the cause is
 * logged here, once.
 */
public final class ToolRegistry {
  private static final Logger log = LoggerFactory.getLogger(ToolRegistry.class);
  private static final String CORRELATION_ID = "correlation_id";

  private final Map<String, Entry<?>> entries = new LinkedHashMap<>();
  private final MonotonicIds ids;

  public ToolRegistry(List<? extends Tool<?>> tools, InstantSource time) {
    this.ids = new MonotonicIds(time);
    for (Tool<?> tool : tools) {
      if (entries.put(tool.name(), entry(tool)) != null) {
        throw new IllegalArgumentException("two tools are called " + tool.name());
      }
    }
  }

  private static <I extends Record> Entry<I> entry(Tool<I> tool) {
    return new Entry<>(tool, RecordForm.ofInput(tool.input()));
  }

  private record Entry<I extends Record>(Tool<I> tool, RecordForm<I> input) {
    CompletableFuture<ToolResult> begin(ObjectNode given, ToolCall call)
        throws InvalidInputException {
      return tool.function().begin(input.read(given), call);
    }
  }

  /** The tools that somebody is offered, in their order. */
  public List<Tool<?>> tools(Audience audience) {
    return entries.values().stream()
        .<Tool<?>>map(Entry::tool)
        .filter(tool -> tool.isFor(audience))
        .toList();
  }

  /** The JSON Schema of what a tool takes. */
  public ObjectNode inputSchema(Tool<?> tool) {
    return RecordForm.ofInput(tool.input()).schema();
  }

  /** The JSON Schema of what a tool answers when it succeeds. */
  public ObjectNode outputSchema(Tool<?> tool) {
    return RecordForm.ofOutput(tool.output()).schema();
  }

  /** Begins a call of a program. */
  public CompletableFuture<ToolResult> begin(
      String name, ObjectNode input, Caller caller, Audience audience) {
    return begin(name, input, caller, audience, CallContext.PROGRAM);
  }

  /**
   * Begins a call, on the thread that reads the caller's connection.
   *
   * @param audience who calls; models don't see the tools of administrators
   * @return never fails, but is cancelled where the caller has gone
   */
  public CompletableFuture<ToolResult> begin(
      String name, ObjectNode input, Caller caller, Audience audience, CallContext context) {
    Optional<Refusal> unknown = unknown(name, audience);
    if (unknown.isPresent()) {
      return ToolResult.refused(unknown.get());
    }
    Entry<?> entry = Objects.requireNonNull(entries.get(name));
    Optional<Refusal> forbidden = Access.toCall(caller, entry.tool());
    if (forbidden.isPresent()) {
      return ToolResult.refused(forbidden.get());
    }
    ToolCall call = new ToolCall(name, caller, correlationId(input), context);
    try (var _ = MDC.putCloseable(ToolCall.LOG_KEY, call.correlationId().toString())) {
      return entry.begin(input, call).exceptionally(failure -> failed(call, failure));
    } catch (InvalidInputException e) {
      return ToolResult.refused(Refusal.of(ErrorCode.INVALID_INPUT, e.getMessage() + "."));
    } catch (CancellationException e) {
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(failed(call, e));
    }
  }

  /** Why somebody can't call a tool of that name, if it isn't there for them. */
  public Optional<Refusal> unknown(String name, Audience audience) {
    Entry<?> entry = entries.get(name);
    return entry != null && entry.tool().isFor(audience)
        ? Optional.empty()
        : Optional.of(unknown(name));
  }

  private Refusal unknown(String name) {
    List<String> offered = tools(Audience.MODEL).stream().<String>map(Tool::name).toList();
    Optional<String> nearest = SpellingSuggestion.nearest(name, offered);
    return Refusal.of(
        ErrorCode.UNKNOWN_TOOL,
        "There is no tool %s here%s; the tools are %s."
            .formatted(
                JsonForm.excerpt(name),
                nearest.map(" (did you mean %s?)"::formatted).orElse(""),
                String.join(", ", offered)));
  }

  private UUID correlationId(ObjectNode input) {
    JsonNode given = input.path(CORRELATION_ID);
    UUID id = given.isTextual() ? Identifiers.parseUuid(given.textValue()) : null;
    return id == null ? ids.next() : id;
  }

  private static ToolResult failed(ToolCall call, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof CancellationException cancelled) {
      throw cancelled;
    }
    if (cause instanceof UnansweredException unanswered) {
      return new ToolResult.Refused(
          Refusal.of(ErrorCode.CONFLICT, String.valueOf(unanswered.getMessage())));
    }
    String id = call.correlationId().toString();
    log.error("{} failed, correlation id {}", call.tool(), id, cause);
    return new ToolResult.Refused(
        Refusal.of(
                ErrorCode.INTERNAL,
                "The tool failed inside the service; its log tells more under correlation id %s."
                    .formatted(id))
            .with(CORRELATION_ID, TextNode.valueOf(id)));
  }
}
