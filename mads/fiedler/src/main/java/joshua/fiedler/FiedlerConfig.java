package joshua.fiedler;

import java.time.Instant;
import joshua.tasks.TasksConfig;

/**
 * What Fiedler goes by.
 *
 * @param tasks the limits of tasks
 * @param version of the build, as he tells it
 * @param upSince when this process began
 */
public record FiedlerConfig(TasksConfig tasks, String version, Instant upSince) {}
