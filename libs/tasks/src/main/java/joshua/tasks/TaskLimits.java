package joshua.tasks;

import java.time.Duration;

/**
 * What bounds the tasks of a service, and how often it looks after them.
 *
 * @param time how long one may take
 * @param tries how often one is begun
 * @param backOff how long the second try waits
 * @param lease how long a task stays with a process that doesn't renew it
 * @param tick how often the service looks
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
