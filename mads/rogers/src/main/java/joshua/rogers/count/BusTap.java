package joshua.rogers.count;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import joshua.conversation.BusConnection;
import joshua.conversation.BusListener;
import joshua.conversation.Gap;
import joshua.conversation.envelope.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The tap of the bus: counts every message, and buffers those that are to be read whole as far as
 * there is room, with a limit of its own for system channels. Owned by the receiving thread, which
 * also hands over the batches and never blocks.
 */
public final class BusTap implements BusListener {
  /** The limit of each buffer between two drains: for system channels, and for the others. */
  private static final int MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

  /** The charge of a small message, so that each buffer has at most 20 000. */
  private static final int MIN_CHARGED_BYTES = MAX_BUFFERED_BYTES / 20_000;

  private final TrafficCounter counter;
  private final InstantSource time;
  private List<ReceivedMessage> buffered = new ArrayList<>();
  private int systemBytesLeft = MAX_BUFFERED_BYTES;
  private int otherBytesLeft = MAX_BUFFERED_BYTES;
  private long skipped;
  private @Nullable Instant reconnectedAt;

  public BusTap(TrafficCounter counter, InstantSource time) {
    this.counter = counter;
    this.time = time;
  }

  /** A message and its receipt. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  public record ReceivedMessage(String channel, byte[] body, Instant at) {}

  /**
   * The counts and messages since the last drain.
   *
   * @param received the messages that were buffered
   * @param skipped the number of messages for which the buffers had no room
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
    int size = Math.max(body.length, MIN_CHARGED_BYTES);
    if (kind == Channel.Kind.SYSTEM && size <= systemBytesLeft) {
      systemBytesLeft -= size;
    } else if (size <= otherBytesLeft) {
      otherBytesLeft -= size;
    } else {
      skipped++;
      return;
    }
    buffered.add(new ReceivedMessage(channel, body, Instant.ofEpochMilli(now)));
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
    Batch batch = new Batch(seenUntil, counter.drain(), buffered, skipped, reconnectedAt);
    buffered = new ArrayList<>();
    systemBytesLeft = MAX_BUFFERED_BYTES;
    otherBytesLeft = MAX_BUFFERED_BYTES;
    skipped = 0;
    reconnectedAt = null;
    return batch;
  }
}
