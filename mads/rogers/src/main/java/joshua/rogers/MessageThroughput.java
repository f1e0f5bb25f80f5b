package joshua.rogers;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How fast messages come by: messages a second, over the last ten looks at their number. For one
 * thread; others may read the rate.
 */
final class MessageThroughput {
  private static final int LOOKS = 10;
  private static final double MILLIS = 1_000;

  private record Look(long messages, long millis) {}

  private final Deque<Look> looks = new ArrayDeque<>();
  private volatile double perSecond;

  /** So many messages have come by until now. */
  void look(long messages, long millis) {
    looks.addLast(new Look(messages, millis));
    if (looks.size() > LOOKS + 1) {
      looks.removeFirst();
    }
    Look first = looks.getFirst();
    long passed = millis - first.millis();
    perSecond = passed > 0 ? (messages - first.messages()) * MILLIS / passed : 0;
  }

  /** Messages a second; 0 before the second look. */
  double perSecond() {
    return perSecond;
  }
}
