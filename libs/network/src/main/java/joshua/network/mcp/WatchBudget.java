package joshua.network.mcp;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.network.Caller;

/**
 * The budget of resources and tasks that the clients of one service watch, by any request: in all,
 * and per token. A watch is small in its request and large in memory. Safe to use from any thread.
 */
final class WatchBudget {
  /** The maximum for all clients together. */
  static final int MAX_WATCHES = 20_000;

  /** The maximum for one token. */
  static final int MAX_OF_A_TOKEN = 2_000;

  private final Semaphore all = new Semaphore(MAX_WATCHES);
  private final Map<String, Semaphore> byIdentity = new ConcurrentHashMap<>();

  /** Takes room for one watch; closing the subscription returns it. Empty if there is none. */
  Optional<ResourceSubscription> take(Caller caller) {
    Optional<Semaphore> own = caller.identity().map(this::ofIdentity);
    if (own.isPresent() && !own.get().tryAcquire()) {
      return Optional.empty();
    }
    if (!all.tryAcquire()) {
      own.ifPresent(Semaphore::release);
      return Optional.empty();
    }
    AtomicBoolean given = new AtomicBoolean();
    return Optional.of(() -> {
      if (!given.getAndSet(true)) {
        all.release();
        own.ifPresent(Semaphore::release);
      }
    });
  }

  /** Tokens are few, and so are the entries: a semaphore stays with its identity. */
  private Semaphore ofIdentity(String identity) {
    return byIdentity.computeIfAbsent(identity, _ -> new Semaphore(MAX_OF_A_TOKEN));
  }
}
