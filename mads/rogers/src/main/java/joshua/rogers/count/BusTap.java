package joshua.rogers.count;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import joshua.conversation.BusConnection;
import joshua.conversation.MessageBuffer;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.Tap;
import joshua.conversation.envelope.Channel;
import joshua.rogers.console.RecentMessages;

/**
 * The tap of the bus: counts every message, and buffers those that are to be read whole as far as
 * there is room. Owned by the receiving thread, which also hands over the batches and never blocks.
 */
public final class BusTap extends Tap<BusTap.Heard> {
  /** The limit of what is buffered between two drains. */
  private static final int MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

  /** The limit for messages on system channels, of the same buffer: half of it is theirs alone. */
  private static final int MAX_BUFFERED_SYSTEM_BYTES = 2 * MAX_BUFFERED_BYTES;

  /** The charge of a small message, so that the first limit is met by 20 000. */
  private static final int MIN_CHARGED_BYTES = MAX_BUFFERED_BYTES / 20_000;

  private final TrafficCounter counter;
  private final RecentMessages recent;
  private final InstantSource time;
  private final MessageBuffer buffer = new MessageBuffer(MIN_CHARGED_BYTES);
  private long skipped;

  public BusTap(
      BusConnection bus, TrafficCounter counter, RecentMessages recent, InstantSource time) {
    super(bus, time);
    this.counter = counter;
    this.recent = recent;
    this.time = time;
  }

  /**
   * The counts and messages since the last batch.
   *
   * @param received the messages that were buffered
   * @param skipped the number of messages for which the buffer had no room
   */
  public record Heard(List<TrafficCount> counts, List<ReceivedMessage> received, long skipped) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    long now = time.millis();
    Channel.Kind kind = counter.count(channel, body, now);
    recent.add(channel, body, now);
    int limit = kind == Channel.Kind.SYSTEM ? MAX_BUFFERED_SYSTEM_BYTES : MAX_BUFFERED_BYTES;
    if (!buffer.add(channel, body, Instant.ofEpochMilli(now), limit)) {
      skipped++;
    }
  }

  @Override
  protected Heard drain() {
    Heard heard = new Heard(counter.drain(), buffer.drain(), skipped);
    skipped = 0;
    return heard;
  }
}
