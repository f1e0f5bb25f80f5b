package joshua.rogers.traffic;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures the message rate: messages a second, over the last ten readings of the counter. For one
 * thread; others may read the rate.
 */
public final class MessageThroughput {
  private static final int LOOKS = 10;
  private static final double MILLIS = 1_000;

  private record Look(long messages, long millis) {}

  private final Deque<Look> looks = new ArrayDeque<>();
  private volatile double perSecond;

  /** Records a reading of the message counter. */
  public void look(long messages, long millis) {
    looks.addLast(new Look(messages, millis));
    if (looks.size() > LOOKS + 1) {
      looks.removeFirst();
    }
    Look first = looks.getFirst();
    long passed = millis - first.millis();
    perSecond = passed > 0 ? (messages - first.messages()) * MILLIS / passed : 0;
  }

  /** Messages a second; 0 before the second reading. */
  public double perSecond() {
    return perSecond;
  }
}
