package joshua.network;

import com.fasterxml.jackson.databind.node.LongNode;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/**
 * The limits on one connection's calls: a rate, twice as many in a burst, and {@value
 * #MAX_CONCURRENT} at once (wire contract §5). Only the thread that reads the connection takes.
 */
public final class CallLimits {
  /** Concurrent calls. */
  public static final int MAX_CONCURRENT = 256;

  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final double nanosPerCall;
  private final LongSupplier nanoTime;
  private long spentUntil;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

  /** A full burst is available; {@code nanoTime} is a clock like {@link System#nanoTime}. */
  public CallLimits(int perSecond, LongSupplier nanoTime) {
    this.nanosPerCall = TimeUnit.SECONDS.toNanos(1) / (double) perSecond;
    this.nanoTime = nanoTime;
    this.spentUntil = nanoTime.getAsLong() - BURST_NANOS;
  }

  /** Takes the token of a call, or returns a refusal that says when one is available. */
  public Optional<Refusal> take() {
    long now = nanoTime.getAsLong();
    long saved = Math.min(BURST_NANOS, now - spentUntil);
    if (saved >= nanosPerCall) {
      spentUntil = now - saved + (long) nanosPerCall;
      return Optional.empty();
    }
    long wait = (long) Math.ceil((nanosPerCall - saved) / 1_000_000);
    return Optional.of(
        Refusal.of(
                ErrorCode.RATE_LIMITED,
                "This connection makes calls faster than it may; wait %d ms.".formatted(wait))
            .with("retry_after_ms", LongNode.valueOf(wait)));
  }

  /** Begins a call, which must be {@linkplain #end ended}, or refuses one too many. */
  public Optional<Refusal> begin() {
    if (permits.tryAcquire()) {
      return Optional.empty();
    }
    return Optional.of(
        Refusal.of(
            ErrorCode.OVERLOADED,
            "%d calls of this connection are under way; await some answers first."
                .formatted(MAX_CONCURRENT)));
  }

  /** Whether no call is running. */
  public boolean isIdle() {
    return permits.availablePermits() == MAX_CONCURRENT;
  }

  public void end() {
    permits.release();
  }
}
