package joshua.grace.presence;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusConnection;

/**
 * Delays a poll until messages that this relay published have come back from Redis. They come by
 * another connection than the answers to their PUBLISH, so a poll could overtake an answered send.
 */
public final class SendBarrier {
  private final BusConnection bus;
  private final AtomicLong answered = new AtomicLong();
  private volatile long arrived;

  public SendBarrier(BusConnection bus) {
    this.bus = bus;
  }

  /** Counts a send to clients of this relay, before it is answered. */
  public void answered() {
    answered.incrementAndGet();
  }

  /** Completes when all counted sends are in their queues, or Redis is away. */
  public CompletableFuture<Void> arrived() {
    long until = answered.get();
    return until == arrived
        ? CompletableFuture.completedFuture(null)
        : bus.transport().whenCaughtUp(() -> arrived = until).exceptionally(failure -> null);
  }
}
