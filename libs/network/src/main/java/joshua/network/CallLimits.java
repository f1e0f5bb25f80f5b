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

  private static final int BURST_SECONDS = 2;

  private final double perNano;
  private final double burst;
  private final LongSupplier nanoTime;
  private double tokens;
  private long filledAt;
  private final Semaphore places = new Semaphore(AT_ONCE);

  /** A full bucket; {@code nanoTime} is a clock like {@link System#nanoTime}. */
  public CallLimits(int perSecond, LongSupplier nanoTime) {
    this.perNano = perSecond / (double) TimeUnit.SECONDS.toNanos(1);
    this.burst = (double) BURST_SECONDS * perSecond;
    this.nanoTime = nanoTime;
    this.tokens = burst;
    this.filledAt = nanoTime.getAsLong();
  }

  /** Takes one call's token, or says when one will be there. */
  public Optional<Refusal> take() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(burst, tokens + (now - filledAt) * perNano);
    filledAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      return Optional.empty();
    }
    long wait = Math.max(1, (long) Math.ceil((1 - tokens) / perNano / 1_000_000));
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
