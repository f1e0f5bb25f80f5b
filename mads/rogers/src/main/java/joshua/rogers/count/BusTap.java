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
 * Hears everything on the bus: counts it, and keeps until it is taken what there is room for, of
 * what services say of themselves and of the rest. Owned by the thread that receives, on which what
 * is heard is taken, too; it waits for nothing.
 */
public final class BusTap implements BusListener {
  /** What may be kept between two takings, in bytes: of services, and of all others. */
  private static final int ROOM = 16 * 1024 * 1024;

  /** The room that the smallest message takes, so that 20 000 are kept at most. */
  private static final int LEAST = ROOM / 20_000;

  private final TrafficCounter counter;
  private final InstantSource time;
  private List<Received> kept = new ArrayList<>();
  private int roomOfServices = ROOM;
  private int roomOfOthers = ROOM;
  private long unread;
  private @Nullable Instant brokenUntil;

  public BusTap(TrafficCounter counter, InstantSource time) {
    this.counter = counter;
    this.time = time;
  }

  /** A message as it came. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  public record Received(String channel, byte[] body, Instant at) {}

  /**
   * What was heard since the last time.
   *
   * @param received as much as there was room for
   * @param unread how many there was no room for
   * @param seenUntil all that was published before has been heard, but for what a break took
   * @param brokenUntil the connection was broken meanwhile, and until then; null if it wasn't
   */
  public record Heard(
      Instant seenUntil,
      List<Count> counts,
      List<Received> received,
      long unread,
      @Nullable Instant brokenUntil) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    long now = time.millis();
    Channel.Kind kind = counter.count(channel, body, now);
    int size = Math.max(body.length, LEAST);
    if (kind == Channel.Kind.SYSTEM && size <= roomOfServices) {
      roomOfServices -= size;
    } else if (size <= roomOfOthers) {
      roomOfOthers -= size;
    } else {
      unread++;
      return;
    }
    kept.add(new Received(channel, body, Instant.ofEpochMilli(now)));
  }

  @Override
  public void onGap(Gap gap) {
    brokenUntil = time.instant();
  }

  /**
   * Takes what has been heard, when all that was published until now has been. Where that fails,
   * nothing is taken.
   */
  public CompletableFuture<Heard> take(BusConnection bus) {
    Instant asked = time.instant();
    AtomicReference<Heard> heard = new AtomicReference<>();
    return bus.transport()
        .whenCaughtUp(() -> heard.set(taken(asked)))
        .thenApply(done -> heard.get());
  }

  private Heard taken(Instant asked) {
    Heard heard = new Heard(asked, counter.take(), kept, unread, brokenUntil);
    kept = new ArrayList<>();
    roomOfServices = ROOM;
    roomOfOthers = ROOM;
    unread = 0;
    brokenUntil = null;
    return heard;
  }
}
