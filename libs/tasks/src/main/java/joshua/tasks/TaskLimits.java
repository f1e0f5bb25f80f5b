package joshua.tasks;

import java.time.Duration;

/**
 * The limits and intervals of a service's tasks.
 *
 * @param time limit for an attempt
 * @param tries attempts at a task
 * @param backOff pause before the second attempt
 * @param lease time after which a process loses tasks that it doesn't renew
 * @param tick interval of renewals and checks
 */
public record TaskLimits(
    int running,
    int waiting,
    Duration time,
    Duration retention,
    int tries,
    Duration backOff,
    Duration lease,
    Duration tick) {

  /** With the intervals of the wire contract. */
  public TaskLimits(int running, int waiting, Duration time, Duration retention) {
    this(
        running,
        waiting,
        time,
        retention,
        2,
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1));
  }
}
