package joshua.fiedler;

import java.time.Instant;
import joshua.tasks.TasksConfig;
import joshua.thought.SystemPrompt;

/**
 * Fiedler's settings.
 *
 * @param tasks the limits of tasks
 * @param charter the system prompt of its Imperator
 * @param version of the build, as it reports it
 * @param upSince when this process began
 */
public record FiedlerConfig(
    TasksConfig tasks, SystemPrompt charter, String version, Instant upSince) {}
