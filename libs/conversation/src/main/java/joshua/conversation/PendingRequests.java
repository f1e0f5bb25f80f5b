package joshua.conversation;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The requests that await a reply, by correlation id (+JC-10); at most {@value #LIMIT}. */
final class PendingRequests {
  static final int LIMIT = 10_000;

  private final Map<UUID, PendingRequest> pending = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(LIMIT);

  /** Whose message was taken last: its other receivers are asked in the same turn. */
  private volatile @Nullable PendingRequest lastToTake;

  /**
   * Begins one.
   *
   * @return empty when {@value #LIMIT} requests wait already, or one with this correlation id does
   */
  Optional<PendingRequest> begin(UUID correlation, String asker, Optional<String> addressee) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    PendingRequest request =
        new PendingRequest(correlation, asker, addressee, self -> lastToTake = self);
    if (pending.putIfAbsent(correlation, request) != null) {
      places.release();
      return Optional.empty();
    }
    return Optional.of(request);
  }

  void end(PendingRequest request) {
    if (pending.remove(request.correlation(), request)) {
      places.release();
    }
  }

  /** Whether a message is the reply to a request of {@code asker}. */
  boolean isReply(String asker, Envelope envelope) {
    return takes(pending.get(envelope.correlationId()), asker, envelope)
        || takes(lastToTake, asker, envelope);
  }

  private static boolean takes(@Nullable PendingRequest request, String asker, Envelope envelope) {
    return request != null && request.asker().equals(asker) && request.takes(envelope);
  }
}
