package joshua.conversation.redis;

import java.time.Duration;

/**
 * How long a connection to Redis may take for what it does.
 *
 * @param pingEvery how often it is pinged
 * @param pongWithin how long the answer may take; then the connection is closed
 * @param openWithin how long the first attempt to connect may take, which also has to load all that
 *     is needed for it; only somebody who accepts and says nothing is waited for so long
 * @param connectWithin how long each further attempt may take
 * @param replyWithin how long a PUBLISH waits for its reply; then its outcome is unknown
 */
record ConnectionTimeouts(
    Duration pingEvery,
    Duration pongWithin,
    Duration openWithin,
    Duration connectWithin,
    Duration replyWithin) {

  /** As wire contract §2 has it ("Sending while the bus is away"). */
  static final ConnectionTimeouts CONTRACT =
      new ConnectionTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofSeconds(3),
          Duration.ofSeconds(3));
}
