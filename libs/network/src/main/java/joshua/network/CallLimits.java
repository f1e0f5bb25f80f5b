package joshua.network;

import com.fasterxml.jackson.databind.node.LongNode;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/**
 * The calls that one connection may make: a number a second, twice as many in a burst, and {@value
 * #AT_ONCE} at once (wire contract §5). The thread that reads the connection takes.
 */
public final class CallLimits {
  /** The most calls that are under way. */
  public static final int AT_ONCE = 256;

  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final double nanosPerCall;
  private final LongSupplier nanoTime;
  private long spentUntil;
  private final Semaphore places = new Semaphore(AT_ONCE);

  /** A whole burst is there; {@code nanoTime} is a clock like {@link System#nanoTime}. */
  public CallLimits(int perSecond, LongSupplier nanoTime) {
    this.nanosPerCall = TimeUnit.SECONDS.toNanos(1) / (double) perSecond;
    this.nanoTime = nanoTime;
    this.spentUntil = nanoTime.getAsLong() - BURST_NANOS;
  }

  /** Takes one call's token, or says when one will be there. */
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

  /** Begins a call, which must be {@linkplain #end ended}, or says that too many are under way. */
  public Optional<Refusal> begin() {
    if (places.tryAcquire()) {
      return Optional.empty();
    }
    return Optional.of(
        Refusal.of(
            ErrorCode.OVERLOADED,
            "%d calls of this connection are under way; await some answers first."
                .formatted(AT_ONCE)));
  }

  /** Whether no call is under way. */
  public boolean isIdle() {
    return places.availablePermits() == AT_ONCE;
  }

  public void end() {
    places.release();
  }
}
