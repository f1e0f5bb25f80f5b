package joshua.grace;

import java.time.Instant;

/**
 * How much the queues hold: so many messages each, so many bytes all together (REQ-GR-04). Whoever
 * loses a message by it is told. Guarded by the lock of {@link ClientQueues}.
 */
final class QueueLimits {
  private final GraceConfig config;
  private final ClientRoster clientRoster;
  private final SharedMessages sharedMessages;
  private final RelayMeters meters;

  QueueLimits(
      GraceConfig config,
      ClientRoster clientRoster,
      SharedMessages sharedMessages,
      RelayMeters meters) {
    this.config = config;
    this.clientRoster = clientRoster;
    this.sharedMessages = sharedMessages;
    this.meters = meters;
  }

  /** Makes place for one more message in a queue, by dropping its oldest. */
  void makePlace(ClientQueue queue, Instant now) {
    if (queue.size() == config.queueLimit()) {
      drop(queue, now);
    }
  }

  /**
   * Brings all queues together within their bytes. The least recently used client's oldest message
   * goes; but where that waits for others, too, dropping it there would free nothing: then the
   * oldest of all goes, for everybody that it waits for.
   */
  void keepBytes(Instant now) {
    while (sharedMessages.memory() > config.queueBytes()) {
      ClientQueue idlest =
          clientRoster.all().stream()
              .map(ClientRoster.Client::queue)
              .filter(queue -> queue.size() > 0)
              .findFirst()
              .orElseThrow();
      if (sharedMessages.isHeldOnce(idlest.first())) {
        drop(idlest, now);
      } else {
        dropEverywhere(sharedMessages.oldest(), now);
      }
    }
  }

  /** What is the oldest of all is the first in each queue that has it. */
  private void dropEverywhere(QueuedMessage oldest, Instant now) {
    for (ClientRoster.Client client : clientRoster.all()) {
      if (client.queue().size() > 0 && client.queue().first() == oldest) {
        drop(client.queue(), now);
      }
      if (oldest.holders() == 0) {
        return;
      }
    }
  }

  private void drop(ClientQueue queue, Instant now) {
    queue.drop(now);
    meters.overflowed(queue.clientId());
  }
}
