package joshua.tasks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * What tasks go by (+FD-13).
 *
 * @param running how many run at once in this process
 * @param queued how many may wait beside those
 * @param timeLimit how long one attempt may take
 * @param attempts how often a task is begun, at most
 * @param retention how long after its making a task that has ended is kept
 * @param promptBytes the longest prompt, in UTF-8
 * @param resultBytes the largest {@code result_payload}, encoded; text has no more characters
 * @param secrets what must not be in an error's text
 */
public record TasksConfig(
    int running,
    int queued,
    Duration timeLimit,
    int attempts,
    Duration retention,
    long promptBytes,
    long resultBytes,
    List<String> secrets) {
  public TasksConfig {
    secrets = List.copyOf(secrets);
    if (running < 1 || attempts < 1) {
      throw new IllegalArgumentException("a task has to be run at least once");
    }
  }

  /**
   * Reads the settings.
   *
   * @param moreSecrets those that the settings don't hold themselves, from files for instance
   */
  public static TasksConfig from(Settings settings, List<String> moreSecrets) {
    Stream<String> known =
        settings.known().stream()
            .filter(setting -> setting.secret())
            .flatMap(setting -> settings.find(setting).stream())
            .map(Object::toString);
    return new TasksConfig(
        settings.get(KnownSettings.TASKS_RUNNING),
        settings.get(KnownSettings.TASKS_QUEUED),
        Duration.ofSeconds(settings.get(KnownSettings.TASKS_TIME_LIMIT)),
        settings.get(KnownSettings.TASKS_ATTEMPTS),
        Duration.ofDays(settings.get(KnownSettings.TASKS_RETENTION)),
        settings.get(KnownSettings.TASKS_PROMPT_LIMIT),
        settings.get(KnownSettings.TASKS_RESULT_LIMIT),
        Stream.concat(known, moreSecrets.stream()).toList());
  }

  /** How many tasks may wait or run. */
  int underWay() {
    return running + queued;
  }
}
