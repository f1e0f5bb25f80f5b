package joshua.network;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.MDC;

/** A call of a tool; the correlation id is the caller's, or a new one. */
public record ToolCall(String tool, Caller caller, UUID correlationId, CallContext context) {
  /** The key under which the logging context (MDC) has the correlation id during a call. */
  public static final String LOG_KEY = "correlation_id";

  /** {@link Connection#onThreadOfItsOwn} of the caller, with the correlation id in its log. */
  public CompletableFuture<ToolResult> onThreadOfItsOwn(Callable<ToolResult> work) {
    return caller
        .connection()
        .onThreadOfItsOwn(
            tool,
            () -> {
              try (var _ = MDC.putCloseable(LOG_KEY, correlationId.toString())) {
                return work.call();
              }
            });
  }
}
