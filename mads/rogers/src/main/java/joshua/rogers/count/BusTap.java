package joshua.rogers.count;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import joshua.conversation.BusConnection;
import joshua.conversation.BusListener;
import joshua.conversation.Gap;
import joshua.conversation.MessageBuffer;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.envelope.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The tap of the bus: counts every message, and buffers those that are to be read whole as far as
 * there is room. Owned by the receiving thread, which also hands over the batches and never blocks.
 */
public final class BusTap implements BusListener {
  /** The limit of what is buffered between two drains. */
  private static final int MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

  /** The limit for messages on system channels, of the same buffer: half of it is theirs alone. */
  private static final int MAX_BUFFERED_SYSTEM_BYTES = 2 * MAX_BUFFERED_BYTES;

  /** The charge of a small message, so that the first limit is met by 20 000. */
  private static final int MIN_CHARGED_BYTES = MAX_BUFFERED_BYTES / 20_000;

  private final TrafficCounter counter;
  private final InstantSource time;
  private final MessageBuffer buffer = new MessageBuffer(MIN_CHARGED_BYTES);
  private long skipped;
  private @Nullable Instant reconnectedAt;

  public BusTap(TrafficCounter counter, InstantSource time) {
    this.counter = counter;
    this.time = time;
  }

  /**
   * The counts and messages since the last drain.
   *
   * @param received the messages that were buffered
   * @param skipped the number of messages for which the buffer had no room
   * @param seenUntil all that was published before has been counted, but for lost connections
   * @param reconnectedAt the end of the last loss of connection; null if there was none
   */
  public record Batch(
      Instant seenUntil,
      List<TrafficCount> counts,
      List<ReceivedMessage> received,
      long skipped,
      @Nullable Instant reconnectedAt) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    long now = time.millis();
    Channel.Kind kind = counter.count(channel, body, now);
    int limit = kind == Channel.Kind.SYSTEM ? MAX_BUFFERED_SYSTEM_BYTES : MAX_BUFFERED_BYTES;
    if (!buffer.add(channel, body, Instant.ofEpochMilli(now), limit)) {
      skipped++;
    }
  }

  @Override
  public void onGap(Gap gap) {
    reconnectedAt = time.instant();
  }

  /**
   * Drains the tap as soon as all that was published until now has arrived. If that fails, nothing
   * is drained.
   */
  public CompletableFuture<Batch> drain(BusConnection bus) {
    Instant seenUntil = time.instant();
    AtomicReference<Batch> batch = new AtomicReference<>();
    return bus.transport()
        .whenCaughtUp(() -> batch.set(drained(seenUntil)))
        .thenApply(done -> batch.get());
  }

  private Batch drained(Instant seenUntil) {
    Batch batch = new Batch(seenUntil, counter.drain(), buffer.drain(), skipped, reconnectedAt);
    skipped = 0;
    reconnectedAt = null;
    return batch;
  }
}
