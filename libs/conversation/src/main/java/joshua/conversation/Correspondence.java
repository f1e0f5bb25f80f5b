package joshua.conversation;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The requests that await an answer, by correlation id (+JC-10); at most {@value #LIMIT}. Answers
 * are handed over as bytes, and parsed again by who awaits them: a tree may take fifty times as
 * much.
 */
final class Correspondence implements Receiver {
  static final int LIMIT = 10_000;

  private final String self;
  private final Map<UUID, CompletableFuture<byte[]>> awaited = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(LIMIT);

  Correspondence(String self) {
    this.self = self;
  }

  /** False when {@value #LIMIT} requests wait already, or one with this correlation id does. */
  boolean expect(UUID correlation, CompletableFuture<byte[]> answer) {
    if (!places.tryAcquire()) {
      return false;
    }
    if (awaited.putIfAbsent(correlation, answer) != null) {
      places.release();
      return false;
    }
    return true;
  }

  void forget(UUID correlation) {
    if (awaited.remove(correlation) != null) {
      places.release();
    }
  }

  @Override
  public void deliver(Delivery delivery) {
    Envelope envelope = delivery.envelope();
    CompletableFuture<byte[]> answer = awaited.get(envelope.correlationId());
    // A request to oneself comes back on the same channel and is no answer.
    if (answer != null && !envelope.senderId().equals(self)) {
      answer.complete(delivery.body());
    }
  }

  @Override
  public void missed(Gap gap) {
    // An answer that was missed is told by the request's deadline.
  }
}
