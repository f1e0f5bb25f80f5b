package joshua.grace.presence;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusConnection;

/**
 * Whether what this relay has sent is in the queues of its clients. Messages come back by another
 * connection than the answers to their publication, so that a poll could overtake a send that has
 * been answered.
 */
public final class OwnSends {
  private final BusConnection bus;
  private final AtomicLong answered = new AtomicLong();
  private volatile long arrived;

  public OwnSends(BusConnection bus) {
    this.bus = bus;
  }

  /** A send to clients here is going to be answered. */
  public void answered() {
    answered.incrementAndGet();
  }

  /** Completes when all that have been answered are in their queues, or Redis is away. */
  public CompletableFuture<Void> arrived() {
    long until = answered.get();
    return until == arrived
        ? CompletableFuture.completedFuture(null)
        : bus.transport().whenCaughtUp(() -> arrived = until).exceptionally(failure -> null);
  }
}
