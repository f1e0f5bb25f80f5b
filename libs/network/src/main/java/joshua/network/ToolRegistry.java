package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The tools of one MAD, in the order in which they were given, and the only way to call them: role,
 * then schema, then the tool (+JN-01, +JN-02). Immutable.
 *
 * <p>{@link #begin} always returns an answer: if a tool, or the check of its input, throws, the
 * answer is {@code internal} with the correlation id, and the cause is logged here, once.
 */
public final class ToolRegistry implements ToolSet {
  /** The key of a call's correlation id in the log context. */
  public static final String CORRELATION_ID = "correlation_id";

  /** The most tools of one MAD. */
  public static final int MAX_TOOLS = 128;

  private static final Logger log = LoggerFactory.getLogger(ToolRegistry.class);

  private record Entry(Tool tool, ToolSpec spec, JsonSchema input) {}

  private final Map<String, Entry> entries;
  private final CallMeters meters;
  private final InstantSource time;

  public ToolRegistry(List<? extends Tool> tools, MeterRegistry meters, InstantSource time) {
    if (tools.size() > MAX_TOOLS) {
      throw new IllegalArgumentException("a registry holds at most " + MAX_TOOLS + " tools");
    }
    Map<String, Entry> byName = new LinkedHashMap<>();
    for (Tool tool : tools) {
      ToolSpec spec = tool.spec();
      Entry entry = new Entry(tool, spec, new JsonSchema(spec.inputSchema()));
      if (byName.put(spec.name(), entry) != null) {
        throw new IllegalArgumentException("two tools are called " + spec.name());
      }
    }
    this.entries = Collections.unmodifiableMap(byName);
    this.meters = new CallMeters(entries.keySet(), meters);
    this.time = time;
  }

  @Override
  public List<ToolSpec> specs() {
    return entries.values().stream().map(Entry::spec).toList();
  }

  @Override
  public Optional<ToolSpec> spec(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::spec);
  }

  @Override
  public Tool.Answer begin(String name, ObjectNode input, Caller caller, CallContext callContext) {
    Entry entry = entries.get(name);
    if (entry == null) {
      countRefusal(ErrorCode.UNKNOWN_TOOL);
      return refused(Refusal.of(ErrorCode.UNKNOWN_TOOL, "There is no tool of that name."));
    }
    UUID correlationId = correlationId(input);
    return new Call(name, correlationId, System.nanoTime())
        .begin(entry, new ToolCall(input, caller, correlationId, callContext));
  }

  @Override
  public void countRefusal(ErrorCode code) {
    meters.refusedBeforeAnyTool(code);
  }

  private static Optional<Refusal> refusal(Entry entry, ObjectNode input, Caller caller) {
    if (!caller.role().suffices(entry.spec().role())) {
      return Optional.of(
          Refusal.of(
              ErrorCode.FORBIDDEN,
              "The token's role is %s, and this tool changes something; it needs %s."
                  .formatted(caller.role().word(), entry.spec().role().word())));
    }
    return entry
        .input()
        .problem(input)
        .map(sentence -> Refusal.of(ErrorCode.INVALID_INPUT, sentence));
  }

  private static Tool.Answer refused(Refusal refusal) {
    return Tool.Answer.of(new ToolResult.Refused(refusal));
  }

  private UUID correlationId(ObjectNode input) {
    JsonNode given = input.path(CORRELATION_ID);
    Optional<UUID> id =
        given.isTextual() ? BusIdentifiers.parseUuid(given.asText()) : Optional.empty();
    return id.orElseGet(() -> BusIdentifiers.uuid7(time));
  }

  /** One call under way: its name, its correlation id, and when it began by the nano clock. */
  private final class Call {
    private final String tool;
    private final UUID correlationId;
    private final long began;

    private Call(String tool, UUID correlationId, long began) {
      this.tool = tool;
      this.correlationId = correlationId;
      this.began = began;
    }

    private Tool.Answer begin(Entry entry, ToolCall call) {
      try (var _ = MDC.putCloseable(CORRELATION_ID, correlationId.toString())) {
        Optional<Refusal> refusal = refusal(entry, call.input(), call.caller());
        if (refusal.isPresent()) {
          return Tool.Answer.of(counted(new ToolResult.Refused(refusal.get())));
        }
        Tool.Answer answer = entry.tool().begin(call);
        if (answer instanceof Tool.Ready(ToolResult result)) {
          return Tool.Answer.of(counted(result));
        }
        return () -> await(answer);
      } catch (UnmetRequirementException e) {
        throw e;
      } catch (RuntimeException | Error e) {
        return Tool.Answer.of(failed(e));
      }
    }

    private ToolResult await(Tool.Answer answer) throws InterruptedException {
      try (var _ = MDC.putCloseable(CORRELATION_ID, correlationId.toString())) {
        return counted(answer.await());
      } catch (InterruptedException e) {
        meters.record(tool, CallMeters.CANCELLED, System.nanoTime() - began);
        throw e;
      } catch (UnmetRequirementException e) {
        throw e;
      } catch (RuntimeException | Error e) {
        return failed(e);
      }
    }

    private ToolResult counted(ToolResult result) {
      String outcome =
          switch (result) {
            case ToolResult.Success _ -> CallMeters.SUCCESS;
            case ToolResult.Refused(Refusal refusal) -> refusal.code().wireName();
          };
      meters.record(tool, outcome, System.nanoTime() - began);
      return result;
    }

    private ToolResult failed(Throwable cause) {
      log.error("the tool {} failed", tool, cause);
      return counted(
          new ToolResult.Refused(
              Refusal.of(
                      ErrorCode.INTERNAL,
                      "The tool failed inside the service; its log tells more under correlation id "
                          + correlationId
                          + ".")
                  .with(CORRELATION_ID, TextNode.valueOf(correlationId.toString()))));
    }
  }
}
