package joshua.rogers.alert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import joshua.rogers.tap.TrackedSender;
import org.jspecify.annotations.Nullable;

/**
 * Counts turns per correlation id (+RG-18), in a table of fixed size: a message from another sender
 * than the previous one with the same correlation id is a turn. Recording a message allocates
 * nothing. A busy bus displaces the ids with the fewest turns first. For one thread.
 */
public final class LoopTable {
  /** This many turns within {@link #WITHIN_MILLIS} are a loop. */
  public static final int TURNS = 20;

  static final int WITHIN_MILLIS = 10_000;

  /** Correlation ids that are tracked at once. */
  public static final int SLOTS = 32_768;

  /** Slots in which an id may be. */
  private static final int WAYS = 4;

  /** How often a continuing loop is found again. */
  private static final int AGAIN_MILLIS = 1_000;

  private static final int NAMES = 4;
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  /** Arrays with one number per exchange, besides its turns. */
  public static final int LONGS_BESIDE_TURNS = 6;

  /** No loop was found. */
  static final int NONE = -1;

  private final long[] high = new long[SLOTS];
  private final long[] low = new long[SLOTS];
  private final long[] last = new long[SLOTS];
  private final long[] found = new long[SLOTS];
  private final long[] turns = new long[SLOTS];
  private final long[] told = new long[SLOTS];
  private final long[] times = new long[SLOTS * TURNS];
  private final @Nullable TrackedSender[] previous = new TrackedSender[SLOTS];
  private final @Nullable TrackedSender[] names = new TrackedSender[SLOTS * NAMES];

  LoopTable() {
    Arrays.fill(last, Long.MIN_VALUE / 2);
  }

  /**
   * Records a message.
   *
   * @return the slot of a loop that this message reveals, or {@link #NONE}
   */
  int note(long correlationHigh, long correlationLow, TrackedSender trackedSender, long atMillis) {
    int slot = slot(correlationHigh, correlationLow, atMillis);
    last[slot] = atMillis;
    if (trackedSender.equals(previous[slot])) {
      return NONE;
    }
    previous[slot] = trackedSender;
    name(slot, trackedSender);
    int ring = slot * TURNS + (int) (turns[slot] % TURNS);
    times[ring] = atMillis;
    turns[slot]++;
    int oldest = slot * TURNS + (int) (turns[slot] % TURNS);
    boolean loops = turns[slot] >= TURNS && atMillis - times[oldest] <= WITHIN_MILLIS;
    return loops && atMillis - found[slot] >= AGAIN_MILLIS ? slot : NONE;
  }

  private int slot(long correlationHigh, long correlationLow, long atMillis) {
    long mixed = (correlationHigh ^ Long.rotateLeft(correlationLow, 32)) * SPREAD;
    int first = (int) (mixed >>> 40) % (SLOTS / WAYS) * WAYS;
    int place = first;
    for (int way = first; way < first + WAYS; way++) {
      if (high[way] == correlationHigh && low[way] == correlationLow) {
        if (atMillis - last[way] > WITHIN_MILLIS) {
          begin(way, correlationHigh, correlationLow);
        }
        return way;
      }
      place = isWorthLess(way, place, atMillis) ? way : place;
    }
    begin(place, correlationHigh, correlationLow);
    return place;
  }

  private boolean isWorthLess(int one, int other, long atMillis) {
    boolean over = atMillis - last[one] > WITHIN_MILLIS;
    boolean otherOver = atMillis - last[other] > WITHIN_MILLIS;
    if (over != otherOver) {
      return over;
    }
    return turns[one] != turns[other] ? turns[one] < turns[other] : last[one] < last[other];
  }

  private void begin(int slot, long correlationHigh, long correlationLow) {
    high[slot] = correlationHigh;
    low[slot] = correlationLow;
    turns[slot] = 0;
    told[slot] = 0;
    found[slot] = Long.MIN_VALUE / 2;
    previous[slot] = null;
    Arrays.fill(names, slot * NAMES, (slot + 1) * NAMES, null);
  }

  private void name(int slot, TrackedSender trackedSender) {
    for (int i = slot * NAMES; i < (slot + 1) * NAMES; i++) {
      if (names[i] == null) {
        names[i] = trackedSender;
      }
      if (trackedSender.equals(names[i])) {
        return;
      }
    }
  }

  /** The turns of a detected loop since it was last taken. */
  long take(int slot, long atMillis) {
    long since = turns[slot] - told[slot];
    told[slot] = turns[slot];
    found[slot] = atMillis;
    return since;
  }

  /** The first few participants in the loop. */
  List<String> names(int slot) {
    List<String> taking = new ArrayList<>();
    for (int i = slot * NAMES; i < (slot + 1) * NAMES; i++) {
      TrackedSender trackedSender = names[i];
      if (trackedSender != null) {
        taking.add(trackedSender.name());
      }
    }
    return taking;
  }
}
