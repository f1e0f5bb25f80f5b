package joshua.rogers.presence;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import joshua.conversation.Envelope;
import joshua.rogers.store.SafeText;

/**
 * The content of an instance's newest heartbeat (wire contract §2). Only {@code status} is
 * required; any other member that isn't as it should be is taken as absent.
 *
 * @param interval how often it intends to send heartbeats
 * @param busyUntil until when its silence is no cause for concern; never before its receipt
 * @param via the participant that sends heartbeats for it, if it doesn't itself
 */
record HeartbeatReport(
    Optional<Duration> interval,
    Optional<Instant> busyUntil,
    Optional<String> version,
    Optional<String> via) {
  /** The longest silence that is excused. */
  static final Duration BUSY_AT_MOST = Duration.ofHours(1);

  private static final long INTERVAL_LIMIT_SECONDS = 86_400;
  private static final int WORD_LIMIT = 64;

  /** A heartbeat with nothing but its status. */
  static final HeartbeatReport PLAIN =
      new HeartbeatReport(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Reads a message on the heartbeat channel; empty when it isn't a heartbeat. */
  static Optional<HeartbeatReport> read(Envelope envelope, Instant receivedAt) {
    JsonNode payload = envelope.payload();
    if (!payload.path("status").isTextual()) {
      return Optional.empty();
    }
    return Optional.of(
        new HeartbeatReport(
            interval(payload.path("interval_s")),
            instant(payload.path("busy_until"))
                .filter(until -> !until.isBefore(receivedAt))
                .map(until -> atMost(until, receivedAt)),
            SafeText.word(payload.path("version"), WORD_LIMIT),
            SafeText.word(payload.path("detail").path("via"), WORD_LIMIT)));
  }

  private static Optional<Duration> interval(JsonNode seconds) {
    return seconds.isIntegralNumber()
            && seconds.canConvertToInt()
            && seconds.asLong() > 0
            && seconds.asLong() <= INTERVAL_LIMIT_SECONDS
        ? Optional.of(Duration.ofSeconds(seconds.asLong()))
        : Optional.empty();
  }

  private static Instant atMost(Instant until, Instant receivedAt) {
    Instant latest = receivedAt.plus(BUSY_AT_MOST);
    return until.isAfter(latest) ? latest : until;
  }

  private static Optional<Instant> instant(JsonNode text) {
    try {
      return text.isTextual() ? Optional.of(Instant.parse(text.textValue())) : Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  boolean isBusy(Instant now) {
    return busyUntil.filter(until -> !now.isAfter(until)).isPresent();
  }
}
