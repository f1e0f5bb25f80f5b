package joshua.rogers;

import java.util.Arrays;

/**
 * How fast one sender sends: whether the last ten seconds are a storm, next to the median of its
 * minutes in the last hour (+RG-18).
 */
final class SenderRate {
  /** Messages a second from which on a storm may be one. */
  static final int STORM_RATE = 100;

  /** Seconds in a row that a storm has at least. */
  static final int STORM_SECONDS = 10;

  /** A storm is so many times as fast as the sender's median. */
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
   * Begins.
   *
   * @param counted messages that were before
   */
  SenderRate(long counted) {
    this.counted = counted;
  }

  /** A minute, or more, that is known from elsewhere. */
  void remember(double rate) {
    minutes[minuteCount++ % MINUTES] = (float) rate;
  }

  /**
   * A second has passed.
   *
   * @param messages how many there have been in all
   * @param millis how long it took
   */
  void second(long messages, long millis) {
    // A name that was forgotten and came back is counted from 0 on.
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

  /** Whether it storms. */
  boolean storms() {
    return storming;
  }

  /** Messages a second in the last ten. */
  long rate() {
    return Arrays.stream(latest).sum() / STORM_SECONDS;
  }

  /** The median of the minutes in the last hour, as far back as the sender is known; else 0. */
  double median() {
    int known = Math.min(minuteCount, MINUTES);
    if (known == 0) {
      return 0;
    }
    float[] sorted = Arrays.copyOf(minutes, known);
    Arrays.sort(sorted);
    return (sorted[(known - 1) / 2] + sorted[known / 2]) / 2.0;
  }

  /** The messages of a storm that weren't taken before, with those of its first ten seconds. */
  long take() {
    long taken = untold;
    untold = 0;
    return taken;
  }
}
