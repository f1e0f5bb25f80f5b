package joshua.rogers.traffic;

import java.util.Arrays;

/**
 * The rate of one sender: whether its last ten seconds are a storm, and the median of its minutes
 * in the last hour (+RG-18).
 */
public final class SenderRate {
  /** The lowest rate of a storm, in messages a second. */
  static final int STORM_RATE = 100;

  /** The shortest storm, in consecutive seconds. */
  static final int STORM_SECONDS = 10;

  /** A storm is this many times as fast as the sender's median. */
  static final int STORM_FACTOR = 10;

  private static final int MINUTES = 60;
  private static final int SECONDS = 60;
  private static final long MILLIS = 1_000;

  // Messages a second, by minute.
  private final float[] minutes = new float[MINUTES];
  private int minuteCount;
  private long counted;
  private long minuteMessages;
  private long minuteMillis;
  private final long[] latest = new long[STORM_SECONDS];
  private int seconds;
  private int fastSeconds;
  private boolean storming;
  private long untold;

  /**
   * @param counted messages sent before
   */
  public SenderRate(long counted) {
    this.counted = counted;
  }

  /** Adds the rate of a minute or more that is known from elsewhere. */
  public void remember(double rate) {
    minutes[minuteCount++ % MINUTES] = (float) rate;
  }

  /**
   * Records that a second has passed.
   *
   * @param messages how many there have been in all
   * @param millis how long the second took
   */
  public void second(long messages, long millis) {
    // A name that was forgotten and came back counts from 0.
    long more = messages < counted ? messages : messages - counted;
    counted = messages;
    latest[seconds++ % STORM_SECONDS] = more;
    fastSeconds = more * MILLIS >= STORM_RATE * millis ? fastSeconds + 1 : 0;
    boolean storms = fastSeconds >= STORM_SECONDS && rate() >= STORM_FACTOR * median();
    untold = storming ? untold + more : Arrays.stream(latest).sum();
    storming = storms;
    minuteMessages += more;
    minuteMillis += millis;
    if (minuteMillis >= SECONDS * MILLIS) {
      remember((double) minuteMessages * MILLIS / minuteMillis);
      minuteMessages = 0;
      minuteMillis = 0;
    }
  }

  /** Whether the sender is storming. */
  public boolean storms() {
    return storming;
  }

  /** Messages a second over the last ten seconds. */
  public long rate() {
    return Arrays.stream(latest).sum() / STORM_SECONDS;
  }

  /** The median of the minutes in the last hour, as far back as the sender is known; else 0. */
  public double median() {
    int known = Math.min(minuteCount, MINUTES);
    if (known == 0) {
      return 0;
    }
    float[] sorted = Arrays.copyOf(minutes, known);
    Arrays.sort(sorted);
    return (sorted[(known - 1) / 2] + sorted[known / 2]) / 2.0;
  }

  /** The storm's messages not yet taken, including those of its first ten seconds. */
  public long take() {
    long taken = untold;
    untold = 0;
    return taken;
  }
}
