package joshua.rogers.journal;

import java.time.Duration;
import joshua.kernel.KnownSettings;
import joshua.kernel.RogersSettings;
import joshua.kernel.Settings;

/**
 * The journal's settings.
 *
 * @param on whether messages are kept at all
 * @param bytes how much is kept, at most
 * @param age how long it is kept, at most
 */
public record JournalConfig(boolean on, long bytes, Duration age) {
  public static JournalConfig from(Settings settings) {
    return new JournalConfig(
        settings.get(RogersSettings.JOURNAL) == KnownSettings.Switch.ON,
        settings.get(RogersSettings.JOURNAL_MIB) * (1L << 20),
        Duration.ofHours(settings.get(RogersSettings.JOURNAL_HOURS)));
  }
}
