package joshua.rogers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import joshua.testing.MessageFlood;

/** Measures how fast a subscriber takes a flood of which nothing is lost. */
final class FloodRate {
  /** Messages on their way at once: far less than Redis cuts a slow subscriber off for. */
  private static final long ON_THE_WAY = 20_000;

  private static final long STALLED_NANOS = Duration.ofSeconds(60).toNanos();

  private FloodRate() {}

  /**
   * Messages a second, from the first one published until the last one was counted.
   *
   * @param counted how many the subscriber has had since the flood began
   */
  static double measure(MessageFlood messageFlood, long messages, LongSupplier counted)
      throws Exception {
    long sentBefore = messageFlood.sent();
    long countedBefore = counted.getAsLong();
    long began = System.nanoTime();
    messageFlood.publish(
        messages, sent -> sent - sentBefore - (counted.getAsLong() - countedBefore) < ON_THE_WAY);
    while (counted.getAsLong() - countedBefore < messages) {
      LockSupport.parkNanos(50_000);
      if (System.nanoTime() - began > STALLED_NANOS + messages * 100_000) {
        throw new AssertionError(
            "of %d messages %d were counted"
                .formatted(messages, counted.getAsLong() - countedBefore));
      }
    }
    return messages * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - began);
  }
}
