package joshua.fiedler;

import java.time.Instant;
import joshua.tasks.TasksConfig;
import joshua.thought.SystemPrompt;

/**
 * What Fiedler goes by.
 *
 * @param tasks the limits of tasks
 * @param charter who his Imperator is
 * @param version of the build, as he tells it
 * @param upSince when this process began
 */
public record FiedlerConfig(
    TasksConfig tasks, SystemPrompt charter, String version, Instant upSince) {}
