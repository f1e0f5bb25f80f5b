package joshua.rogers.count;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.BusConnection;
import joshua.conversation.BusListener;
import joshua.conversation.Gap;
import joshua.conversation.envelope.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Hears everything on the bus: counts it, and keeps what services say of themselves until it is
 * taken. Owned by the thread that receives, on which what is heard is taken, too; it waits for
 * nothing.
 */
public final class BusTap implements BusListener {
  /** What may be kept of the services' messages between two takings, in bytes. */
  private static final int ROOM = 16 * 1024 * 1024;

  private final TrafficCounter counter;
  private final InstantSource time;
  private List<Received> ofServices = new ArrayList<>();
  private int room = ROOM;
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
   * @param seenUntil all that was published before has been heard, but for what a break took
   * @param brokenUntil the connection was broken meanwhile, and until then; null if it wasn't
   */
  public record Heard(
      Instant seenUntil,
      List<Count> counts,
      List<Received> ofServices,
      @Nullable Instant brokenUntil) {}

  @Override
  public void onMessage(String channel, byte[] body) {
    long now = time.millis();
    Channel.Kind kind = counter.count(channel, body, now);
    if (kind == Channel.Kind.SYSTEM && body.length <= room) {
      room -= body.length;
      ofServices.add(new Received(channel, body, Instant.ofEpochMilli(now)));
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
    CompletableFuture<Heard> taken = new CompletableFuture<>();
    bus.caughtUp(() -> taken.complete(taken(asked)))
        .whenComplete((done, failure) -> {
          if (failure != null) {
            taken.completeExceptionally(failure);
          }
        });
    return taken;
  }

  private Heard taken(Instant asked) {
    Heard heard = new Heard(asked, counter.take(), ofServices, brokenUntil);
    ofServices = new ArrayList<>();
    room = ROOM;
    brokenUntil = null;
    return heard;
  }
}
