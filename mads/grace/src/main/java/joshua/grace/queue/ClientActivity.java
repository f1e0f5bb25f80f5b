package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Whether a client is there, judged by its calls (wire contract §2): present from its first call
 * until it has made none for {@link #ABSENT_AFTER}. Guarded by the lock of {@link ClientQueues}.
 */
public final class ClientActivity {
  public static final Duration ABSENT_AFTER = Duration.ofMinutes(2);
  public static final Duration BEAT_EVERY = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private Instant lastCall;
  // On the monotonic clock: setting the wall clock makes no client absent.
  private long lastCallNanos;
  private long lastBeatNanos;
  private boolean present;

  /**
   * The activity of a client that makes its first call.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  ClientActivity(Instant now, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastCall = now;
    this.lastCallNanos = nanoTime.getAsLong();
    this.lastBeatNanos = lastCallNanos;
  }

  /**
   * Records a call.
   *
   * @return whether the client has just become present: a {@code join} is due
   */
  boolean called(Instant now) {
    lastCall = now;
    lastCallNanos = nanoTime.getAsLong();
    boolean came = !present;
    present = true;
    if (came) {
      lastBeatNanos = lastCallNanos;
    }
    return came;
  }

  Instant lastCall() {
    return lastCall;
  }

  boolean isPresent() {
    return present;
  }

  boolean isAbsent() {
    return present && nanoTime.getAsLong() - lastCallNanos > ABSENT_AFTER.toNanos();
  }

  void left() {
    present = false;
  }

  boolean isBeatDue() {
    return present && sinceBeat() >= BEAT_EVERY.toNanos();
  }

  /** Nanoseconds since its last heartbeat. */
  long sinceBeat() {
    return nanoTime.getAsLong() - lastBeatNanos;
  }

  void beat() {
    lastBeatNanos = nanoTime.getAsLong();
  }
}
