package joshua.conversation;

import java.time.Duration;

/**
 * The intervals of the bus (wire contract §2); tests take shorter ones.
 *
 * @param connectWithin how long the first connection may take
 * @param replyWithin how long Redis may take to answer; a publication's outcome is unknown then
 * @param pingEvery how often both connections are pinged
 * @param restoreEvery how often subscriptions that Redis hasn't confirmed are tried again
 * @param silence after how long without a byte a connection is given up
 * @param beatEvery how often a participant beats
 * @param extraBeatEvery how often at most it beats because another has joined
 */
public record Timing(
    Duration connectWithin,
    Duration replyWithin,
    Duration pingEvery,
    Duration restoreEvery,
    Duration silence,
    Duration beatEvery,
    Duration extraBeatEvery) {
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
