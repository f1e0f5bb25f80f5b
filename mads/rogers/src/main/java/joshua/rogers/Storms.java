package joshua.rogers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Senders that send much more than they use to (+RG-18): at least 100 messages a second for 10 s,
 * and 10 times their median of the last hour. For one thread.
 */
final class Storms {
  /**
   * A storm that goes on.
   *
   * @param messages since it was found last
   * @param rate messages a second
   * @param median of the sender's minutes in the last hour, messages a second
   */
  record Storm(String sender, long messages, long rate, double median) {}

  private final Map<String, Pace> paces = new HashMap<>();
  private final Map<String, Double> usual;
  private long lastNanos;
  private boolean first = true;

  /**
   * Begins.
   *
   * @param usual how many messages a second senders used to send before Rogers was started
   */
  Storms(Map<String, Double> usual) {
    this.usual = new HashMap<>(usual);
  }

  /**
   * Looks at the counts, about once a second.
   *
   * @param nowNanos as {@link System#nanoTime} tells it
   */
  List<Storm> look(List<Sender> senders, long nowNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nowNanos - lastNanos);
    lastNanos = nowNanos;
    List<Storm> storms = new ArrayList<>();
    Map<String, Pace> known = new HashMap<>(paces);
    paces.clear();
    for (Sender sender : senders) {
      if (sender.name().equals(Sender.UNKNOWN)) {
        // Malformed messages, which are told of as such.
        continue;
      }
      Pace pace = known.get(sender.name());
      if (pace == null) {
        pace = begin(sender);
      }
      paces.put(sender.name(), pace);
      if (!first && millis > 0) {
        pace.second(sender.messages(), millis);
      }
      if (pace.storms()) {
        storms.add(new Storm(sender.name(), pace.take(), pace.rate(), pace.median()));
      }
    }
    first = false;
    return storms;
  }

  private Pace begin(Sender sender) {
    Pace pace = new Pace(first ? sender.messages() : 0);
    Double rate = usual.remove(sender.name());
    if (rate != null) {
      pace.remember(rate);
    }
    return pace;
  }
}
