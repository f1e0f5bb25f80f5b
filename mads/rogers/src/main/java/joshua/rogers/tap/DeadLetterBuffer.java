package joshua.rogers.tap;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Json;
import joshua.rogers.store.ReadPermission;
import joshua.rogers.store.SafeText;

/**
 * The malformed messages that were seen and aren't stored yet (wire contract §1, +RG-18). The
 * thread that reads the tap adds them; if they come faster than they can be stored, the rest is
 * counted.
 */
public final class DeadLetterBuffer implements MessageObserver {
  /** How many wait; more are only counted. */
  public static final int WAITING = 1_000;

  /** How many different ones are kept of those taken together; the others are counted. */
  public static final int KEPT_TOGETHER = 100;

  /** The channel under which messages that are only counted appear. */
  static final String OTHERS = "*";

  static final String TOO_MANY = "came faster than they can be kept one by one";

  /**
   * A malformed message, and how many like it there were.
   *
   * @param head the first 1 KiB as text, safe for a terminal
   * @param size of the whole message, in bytes
   */
  public record Letter(
      String channel, String reason, String head, int size, Instant at, long messages) {
    Letter plus(long more) {
      return new Letter(channel, reason, head, size, at, messages + more);
    }

    /** Two letters with equal values are alike. */
    public List<Object> likeness() {
      return List.of(channel, reason, head, size);
    }

    /**
     * As it is published on the bus, where every client reads: without its head if it was for one.
     */
    public ObjectNode json() {
      return Json.object()
          .put("channel", channel)
          .put("reason", reason)
          .put("head", ReadPermission.isForMany(channel) ? head : null)
          .put("size", size);
    }
  }

  private final ArrayBlockingQueue<DeadMessage> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong uncounted = new AtomicLong();
  private final Counter overflow;

  public DeadLetterBuffer(MeterRegistry meters) {
    this.overflow =
        Counter.builder("joshua.rogers.letters.overflow")
            .description("Malformed messages that were counted and not kept")
            .register(meters);
  }

  @Override
  public void seen(ObservedMessage observedMessage) {}

  @Override
  public void malformed(DeadMessage letter) {
    if (!waiting.offer(letter)) {
      uncounted.incrementAndGet();
    }
  }

  /** Takes what has arrived, merging letters that are alike. */
  public List<Letter> take(Instant now) {
    List<DeadMessage> taken = new ArrayList<>();
    waiting.drainTo(taken);
    long others = uncounted.getAndSet(0);
    Map<List<Object>, Letter> letters = new LinkedHashMap<>();
    for (DeadMessage message : taken) {
      Letter letter = letter(message);
      if (letters.size() < KEPT_TOGETHER || letters.containsKey(letter.likeness())) {
        letters.merge(letter.likeness(), letter, (one, more) -> one.plus(1));
      } else {
        others++;
      }
    }
    List<Letter> all = new ArrayList<>(letters.values());
    if (others > 0) {
      overflow.increment((double) others);
      all.add(new Letter(OTHERS, TOO_MANY, "", 0, now, others));
    }
    return all;
  }

  private static Letter letter(DeadMessage message) {
    return new Letter(
        SafeText.text(message.channel(), DeadMessage.CHANNEL_LIMIT),
        message.reason(),
        SafeText.text(new String(message.head(), StandardCharsets.UTF_8), DeadMessage.HEAD_LIMIT),
        message.size(),
        Instant.ofEpochMilli(message.atMillis()),
        1);
  }
}
