package joshua.rogers.presence;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import joshua.kernel.RogersSettings;
import joshua.kernel.Settings;

/**
 * How long a participant may be silent (wire contract §2), and how long one that is gone is kept.
 *
 * @param staleAfter silent for longer, it is STALE
 * @param disconnectedAfter silent for longer, it is DISCONNECTED
 * @param forgetAfter DISCONNECTED for longer, it is forgotten
 */
public record PresenceThresholds(
    Duration staleAfter, Duration disconnectedAfter, Duration forgetAfter) {
  public static final PresenceThresholds CONTRACT =
      new PresenceThresholds(Duration.ofSeconds(30), Duration.ofSeconds(120), Duration.ofDays(7));

  public PresenceThresholds {
    if (staleAfter.compareTo(disconnectedAfter) >= 0) {
      throw new IllegalArgumentException(
          "a participant is STALE (after %d s) before it is DISCONNECTED (after %d s)"
              .formatted(staleAfter.toSeconds(), disconnectedAfter.toSeconds()));
    }
  }

  public static PresenceThresholds from(Settings settings)
      throws Settings.InvalidSettingsException {
    try {
      return new PresenceThresholds(
          Duration.ofSeconds(settings.get(RogersSettings.STALE_AFTER)),
          Duration.ofSeconds(settings.get(RogersSettings.DISCONNECTED_AFTER)),
          Duration.ofHours(settings.get(RogersSettings.FORGET_AFTER)));
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSettingsException(
          List.of(
              "JOSHUA_ROGERS_STALE_AFTER must be less than JOSHUA_ROGERS_DISCONNECTED_AFTER: "
                  + e.getMessage()));
    }
  }

  /**
   * When an instance is STALE: one whose heartbeats a relay sends is granted one and a half
   * intervals, since a relay may send them no more often than healthy participants are heard.
   */
  Duration staleAfter(Optional<HeartbeatReport> beat) {
    return beat.filter(spoken -> spoken.via().isPresent())
        .flatMap(HeartbeatReport::interval)
        .map(interval -> interval.plus(interval.dividedBy(2)))
        .filter(granted -> granted.compareTo(staleAfter) > 0)
        .orElse(staleAfter);
  }
}
