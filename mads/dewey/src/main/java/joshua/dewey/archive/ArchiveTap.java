package joshua.dewey.archive;

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
import joshua.conversation.envelope.Channel.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The tap of the bus: buffers what participants say, and presence, as far as there is room; topics
 * have less of it, so that a flood of them costs no direct message. Owned by the receiving thread,
 * which also hands over the batches and never blocks.
 */
public final class ArchiveTap implements BusListener {
  /** The most bytes in the buffer behind which a message on a topic isn't taken. */
  private static final int MAX_TOPIC_BYTES = 24 * 1024 * 1024;

  /** The same of any message. While a batch is stored, the next one is buffered. */
  private static final int MAX_BYTES = 32 * 1024 * 1024;

  private static final int MIN_CHARGED_BYTES = 512;

  private final String own;
  private final InstantSource time;
  private final Runnable onCall;
  private final MessageBuffer buffer = new MessageBuffer(MIN_CHARGED_BYTES);
  private @Nullable Skipped skipped;
  private @Nullable Instant reconnectedAt;

  /**
   * A tap that has yet to follow the bus.
   *
   * @param own the channel on which this service is called
   * @param onCall is run for each call
   */
  public ArchiveTap(Channel own, InstantSource time, Runnable onCall) {
    this.own = own.name();
    this.time = time;
    this.onCall = onCall;
  }

  /** Messages for which there was no room, and the span of time in which they came. */
  public record Skipped(long topics, long direct, Instant since, Instant until) {
    private static Skipped plus(@Nullable Skipped before, boolean direct, Instant at) {
      return new Skipped(
          (before == null ? 0 : before.topics) + (direct ? 0 : 1),
          (before == null ? 0 : before.direct) + (direct ? 1 : 0),
          before == null ? at : before.since,
          at);
    }
  }

  /**
   * The messages since the last drain.
   *
   * @param seenUntil all that was published before has come, but for lost connections
   * @param reconnectedAt the end of the last loss of connection; null if there was none
   */
  public record Batch(
      Instant seenUntil,
      List<ReceivedMessage> received,
      @Nullable Skipped skipped,
      @Nullable Instant reconnectedAt) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    boolean direct = channel.startsWith(Kind.DIRECT.prefix());
    boolean said =
        direct
            || channel.startsWith(Kind.TOPIC.prefix())
            || channel.equals(Channel.BROADCAST.name());
    if (!said
        && !channel.equals(Channel.PRESENCE.name())
        && !channel.equals(Channel.HEARTBEAT.name())) {
      return;
    }
    Instant now = time.instant();
    if (!buffer.add(channel, body, now, said && !direct ? MAX_TOPIC_BYTES : MAX_BYTES)) {
      skipped = Skipped.plus(skipped, direct, now);
    } else if (direct && channel.equals(own)) {
      onCall.run();
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

  Batch drained(Instant seenUntil) {
    Batch batch = new Batch(seenUntil, buffer.drain(), skipped, reconnectedAt);
    skipped = null;
    reconnectedAt = null;
    return batch;
  }
}
