package joshua.tasks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.Settings;
import joshua.kernel.TaskSettings;

/**
 * The configuration of tasks (+FD-13).
 *
 * @param running how many run at once in this process
 * @param queued how many may wait in addition
 * @param timeLimit how long one attempt may take
 * @param attempts how often a task is started, at most
 * @param retention how long after its creation an ended task is kept
 * @param storeBytes the size of the database above which the tasks that ended longest ago are
 *     deleted
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
    long storeBytes,
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
   * @param moreSecrets secrets outside the settings, for instance from files
   */
  public static TasksConfig from(Settings settings, List<String> moreSecrets) {
    Stream<String> known =
        settings.known().stream()
            .filter(setting -> setting.secret())
            .flatMap(setting -> settings.find(setting).stream())
            .map(Object::toString);
    return new TasksConfig(
        settings.get(TaskSettings.RUNNING),
        settings.get(TaskSettings.QUEUED),
        Duration.ofSeconds(settings.get(TaskSettings.TIME_LIMIT)),
        settings.get(TaskSettings.ATTEMPTS),
        Duration.ofDays(settings.get(TaskSettings.RETENTION)),
        (long) settings.get(TaskSettings.STORE_MIB) << 20,
        settings.get(TaskSettings.PROMPT_LIMIT),
        settings.get(TaskSettings.RESULT_LIMIT),
        Stream.concat(known, moreSecrets.stream()).toList());
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "TasksConfig[running=%d, queued=%d, timeLimit=%s, attempts=%d, retention=%s, storeBytes=%d, promptBytes=%d, resultBytes=%d, %d secrets]"
        .formatted(
            running,
            queued,
            timeLimit,
            attempts,
            retention,
            storeBytes,
            promptBytes,
            resultBytes,
            secrets.size());
  }

  /** How many tasks may wait or run. */
  public int underWay() {
    return running + queued;
  }
}
