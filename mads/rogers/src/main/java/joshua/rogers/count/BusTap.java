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
 * Hears everything on the bus: counts it, and keeps until it is taken what services say of
 * themselves, and as much of the rest as may be read. Owned by the thread that receives, on which
 * what is heard is taken, too; it waits for nothing.
 */
public final class BusTap implements BusListener {
  /** What may be kept between two takings, in bytes: of services, and of all others. */
  private static final int ROOM = 16 * 1024 * 1024;

  /** The most messages of others that are kept. */
  private static final int MOST = 20_000;

  private final TrafficCounter counter;
  private final InstantSource time;
  private List<Received> ofServices = new ArrayList<>();
  private List<Received> ofOthers = new ArrayList<>();
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
   * @param ofOthers what isn't of services, as much as there was room for
   * @param unread how many there was no room for
   * @param seenUntil all that was published before has been heard, but for what a break took
   * @param brokenUntil the connection was broken meanwhile, and until then; null if it wasn't
   */
  public record Heard(
      Instant seenUntil,
      List<Count> counts,
      List<Received> ofServices,
      List<Received> ofOthers,
      long unread,
      @Nullable Instant brokenUntil) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    long now = time.millis();
    Channel.Kind kind = counter.count(channel, body, now);
    if (kind == Channel.Kind.SYSTEM && body.length <= roomOfServices) {
      roomOfServices -= body.length;
      ofServices.add(new Received(channel, body, Instant.ofEpochMilli(now)));
    } else if (body.length <= roomOfOthers && ofOthers.size() < MOST) {
      roomOfOthers -= body.length;
      ofOthers.add(new Received(channel, body, Instant.ofEpochMilli(now)));
    } else {
      unread++;
    }
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
    return bus.transport().caughtUp(() -> heard.set(taken(asked))).thenApply(done -> heard.get());
  }

  private Heard taken(Instant asked) {
    Heard heard = new Heard(asked, counter.take(), ofServices, ofOthers, unread, brokenUntil);
    ofServices = new ArrayList<>();
    ofOthers = new ArrayList<>();
    roomOfServices = ROOM;
    roomOfOthers = ROOM;
    unread = 0;
    brokenUntil = null;
    return heard;
  }
}
