package joshua.grace.queue;

import java.time.Instant;
import joshua.grace.GraceConfig;
import joshua.grace.meter.RelayMeters;

/**
 * The limits of the queues: a number of messages each, a number of bytes all together (REQ-GR-04).
 * A client that loses a message by them is told so. Guarded by the lock of {@link ClientQueues}.
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

  /** Makes room for one more message in a queue, by dropping its oldest. */
  void makePlace(ClientQueue queue, Instant now) {
    if (queue.size() == config.queueLimit()) {
      drop(queue, now);
    }
  }

  /**
   * Drops messages until all queues together are within their bytes. The least recently used
   * client's oldest message goes; but if it also waits for other clients, dropping it there would
   * free nothing: then the oldest of all messages goes, for every client that it waits for.
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

  /** The oldest message of all is the first in each queue that has it. */
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
