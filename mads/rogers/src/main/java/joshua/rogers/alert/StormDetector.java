package joshua.rogers.alert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.traffic.SenderRate;

/**
 * Finds senders that send much more than they usually do (+RG-18): at least 100 messages a second
 * for 10 s, and 10 times their median of the last hour. For one thread.
 */
public final class StormDetector {
  /**
   * A continuing storm.
   *
   * @param messages since it was last found
   * @param rate messages a second
   * @param median of the sender's minutes in the last hour, messages a second
   */
  public record Storm(String sender, long messages, long rate, double median) {}

  private final Map<String, SenderRate> paces = new HashMap<>();
  private final Map<String, Double> usual;
  private long lastNanos;
  private boolean first = true;

  /**
   * @param usual how many messages a second senders used to send before Rogers was started
   */
  public StormDetector(Map<String, Double> usual) {
    this.usual = new HashMap<>(usual);
  }

  /**
   * Checks the counts, about once a second.
   *
   * @param nowNanos the time of {@link System#nanoTime}
   */
  public List<Storm> look(List<TrackedSender> senders, long nowNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nowNanos - lastNanos);
    lastNanos = nowNanos;
    List<Storm> storms = new ArrayList<>();
    Map<String, SenderRate> known = new HashMap<>(paces);
    paces.clear();
    for (TrackedSender trackedSender : senders) {
      if (trackedSender.name().equals(TrackedSender.UNKNOWN)) {
        // Malformed messages, which are reported as such.
        continue;
      }
      SenderRate senderRate = known.get(trackedSender.name());
      if (senderRate == null) {
        senderRate = begin(trackedSender);
      }
      paces.put(trackedSender.name(), senderRate);
      if (!first && millis > 0) {
        senderRate.second(trackedSender.messages(), millis);
      }
      if (senderRate.storms()) {
        storms.add(
            new Storm(
                trackedSender.name(), senderRate.take(), senderRate.rate(), senderRate.median()));
      }
    }
    first = false;
    return storms;
  }

  private SenderRate begin(TrackedSender trackedSender) {
    SenderRate senderRate = new SenderRate(first ? trackedSender.messages() : 0);
    Double rate = usual.remove(trackedSender.name());
    if (rate != null) {
      senderRate.remember(rate);
    }
    return senderRate;
  }
}
