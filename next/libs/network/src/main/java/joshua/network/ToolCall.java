package joshua.network;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.MDC;

/**
 * A call of a tool.
 *
 * @param correlationId the caller's, or a new one
 */
public record ToolCall(String tool, Caller caller, UUID correlationId, CallContext context) {
  /** The key under which the logging context (MDC) has the correlation id during a call. */
  public static final String LOG_KEY = "correlation_id";

  /**
   * Waits for a result on a thread of its own, which is interrupted when the caller's connection
   * ends; the result is then a cancellation.
   */
  public CompletableFuture<ToolResult> onThreadOfItsOwn(Callable<ToolResult> work) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name(tool + "-" + caller.connection().id())
            .unstarted(() -> {
              try (var _ = MDC.putCloseable(LOG_KEY, correlationId.toString())) {
                result.complete(work.call());
              } catch (InterruptedException e) {
                result.cancel(false);
              } catch (Throwable e) {
                result.completeExceptionally(new CompletionException(e));
              }
            });
    Runnable forget = caller.connection().whenGone(thread::interrupt);
    thread.start();
    return result.whenComplete((answer, failure) -> forget.run());
  }
}
