package joshua.conversation.redis;

import java.time.Duration;

/**
 * The time limits of a connection to Redis.
 *
 * @param pingEvery how often it is pinged
 * @param pongWithin how long the answer may take; then the connection is closed
 * @param openWithin how long the first attempt to connect may take, including the loading of all
 *     that is needed for it; only a server that accepts and never answers takes this long
 * @param connectWithin how long each further attempt may take
 * @param replyWithin how long a PUBLISH waits for its reply; then its outcome is unknown
 */
record ConnectionTimeouts(
    Duration pingEvery,
    Duration pongWithin,
    Duration openWithin,
    Duration connectWithin,
    Duration replyWithin) {

  /** The values of wire contract §2 ("Sending while the bus is away"). */
  static final ConnectionTimeouts CONTRACT =
      new ConnectionTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofSeconds(3),
          Duration.ofSeconds(3));
}
