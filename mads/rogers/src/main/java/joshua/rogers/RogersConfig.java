package joshua.rogers;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.kernel.DirectReaders;
import joshua.kernel.KnownSettings;
import joshua.kernel.RogersSettings;
import joshua.kernel.Settings;
import joshua.rogers.journal.JournalConfig;
import joshua.rogers.presence.PresenceThresholds;
import joshua.rogers.store.RetentionLimits;
import joshua.rogers.tool.MetricsCollector;
import joshua.tasks.TasksConfig;
import joshua.thought.SystemPrompt;

/**
 * Rogers' settings.
 *
 * @param tasks the limits of tasks
 * @param thresholds how long participants may be silent
 * @param counts the limits of what is counted
 * @param history how much of the history is kept
 * @param journal the limits of the journal
 * @param directReaders the clients that may read direct messages between others
 * @param charter the system prompt of its Imperator
 * @param version of the build, as it reports it
 * @param upSince when this process began
 */
public record RogersConfig(
    TasksConfig tasks,
    PresenceThresholds thresholds,
    MetricsCollector.Limits counts,
    RetentionLimits history,
    JournalConfig journal,
    DirectReaders directReaders,
    SystemPrompt charter,
    String version,
    Instant upSince) {

  /**
   * Reads the settings.
   *
   * @param secrets texts that may never be shown
   * @throws Settings.InvalidSettingsException if they contradict each other
   */
  public static RogersConfig from(
      Settings settings, List<String> secrets, String version, Instant upSince)
      throws Settings.InvalidSettingsException {
    return new RogersConfig(
        TasksConfig.from(settings, secrets),
        PresenceThresholds.from(settings),
        new MetricsCollector.Limits(
            settings.get(RogersSettings.NAMES_LIMIT),
            settings.get(KnownSettings.ENVELOPE_LIMIT),
            Duration.ofDays(settings.get(RogersSettings.METRICS_DAYS))),
        new RetentionLimits(
            settings.get(RogersSettings.HISTORY_ROWS),
            Duration.ofDays(settings.get(RogersSettings.HISTORY_DAYS))),
        JournalConfig.from(settings),
        DirectReaders.from(settings),
        SystemPrompt.from(settings, RogersSettings.IMPERATOR_FILE, Rogers.class),
        version,
        upSince);
  }
}
