package joshua.rogers.presence;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;

/**
 * Rogers' own presence on the bus: it joins once its tap is open, and leaves while the tap still
 * sees it, so that its registry records its first heartbeat and its leave like every other
 * participant's.
 */
public final class OwnPresence implements AutoCloseable {
  /** How long a close waits for the registry to record the leave. */
  private static final Duration RECORDED_WITHIN = Duration.ofSeconds(1);

  private final ConversationBus bus;
  private final CountDownLatch recorded = new CountDownLatch(1);
  private volatile boolean leaving;
  private boolean joined;

  public OwnPresence(ConversationBus bus) {
    this.bus = bus;
  }

  /** Receives each change of state. Never waits. */
  public void changed(StateChange change) {
    if (leaving
        && change.after() == ConnectionState.DISCONNECTED
        && change.madId().equals(bus.self().name())) {
      recorded.countDown();
    }
  }

  public void start() throws BusUnavailableException, InterruptedException {
    bus.join();
    joined = true;
  }

  @Override
  public void close() {
    if (!joined) {
      return;
    }
    leaving = true;
    bus.leave();
    try {
      if (bus.isUsable()) {
        var _ = recorded.await(RECORDED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
