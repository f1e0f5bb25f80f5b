package joshua.conversation;

import java.time.Duration;

/**
 * The intervals of the bus (wire contract §2); tests take shorter ones.
 *
 * @param connectTimeout limit for the first connection
 * @param replyTimeout limit for an answer of Redis; beyond it a publication's outcome is unknown
 * @param pingInterval of both connections
 * @param resubscribeInterval of retries while Redis hasn't confirmed a subscription
 * @param silenceTimeout time without a byte after which a connection is given up
 * @param heartbeatInterval of a participant
 * @param extraHeartbeatInterval the least interval of heartbeats that answer joins
 */
public record Timing(
    Duration connectTimeout,
    Duration replyTimeout,
    Duration pingInterval,
    Duration resubscribeInterval,
    Duration silenceTimeout,
    Duration heartbeatInterval,
    Duration extraHeartbeatInterval) {
  public static final Timing CONTRACT =
      new Timing(
          Duration.ofSeconds(10),
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ofSeconds(8),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2));
}
