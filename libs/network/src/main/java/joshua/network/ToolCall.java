package joshua.network;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.MDC;

/** A call of a tool; the correlation id is the caller's, or a new one. */
public record ToolCall(String tool, Caller caller, UUID correlationId, CallContext context) {
  /** The key of the correlation id in the logging context (MDC) during a call. */
  public static final String LOG_KEY = "correlation_id";

  /** Runs {@link Connection#runBlocking} with the correlation id in the logging context. */
  public CompletableFuture<ToolResult> runBlocking(Callable<ToolResult> work) {
    return caller
        .connection()
        .runBlocking(
            tool,
            () -> {
              try (var _ = MDC.putCloseable(LOG_KEY, correlationId.toString())) {
                return work.call();
              }
            });
  }
}
