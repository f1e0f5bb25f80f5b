package joshua.rogers.presence;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Identifiers;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import org.jspecify.annotations.Nullable;

/**
 * What somebody says of itself, or a relay of its clients, on {@code mad.system.heartbeat} and
 * {@code mad.system.presence} (wire contract §2). A member that isn't as it should be counts as
 * absent. Times are those of the receipt.
 */
public sealed interface PresenceMessage {
  String name();

  Instant at();

  /**
   * A heartbeat.
   *
   * @param instance empty where it names none
   * @param intervalS how often it means to beat, in seconds
   * @param busyUntil until when its silence means nothing
   */
  record Beat(
      String name,
      String instance,
      @Nullable Integer intervalS,
      @Nullable Instant busyUntil,
      @Nullable String version,
      Instant at)
      implements PresenceMessage {}

  /**
   * It is there from now on.
   *
   * @param instance its own, or that of the relay
   * @param via the relay that says so, if it is a client of one
   */
  record Join(String name, String instance, Optional<String> via, Instant at)
      implements PresenceMessage {}

  /** It goes. */
  record Leave(String name, String instance, String reason, Instant at)
      implements PresenceMessage {}

  /** Some of a relay's clients. */
  record Roster(String name, String instance, List<String> clients, Instant at)
      implements PresenceMessage {}

  /** The longest silence that is excused beforehand. */
  Duration BUSY_AT_MOST = Duration.ofHours(1);

  int DAY_S = 86_400;
  int LONGEST_WORD = 64;

  /** Reads a message; empty where it says nothing of the kind. */
  static Optional<PresenceMessage> read(Envelope envelope, Instant at) {
    JsonNode payload = envelope.payload();
    String name = envelope.senderId();
    String instance = word(payload.path("instance")).orElse("");
    if (envelope.channel().equals(Channel.HEARTBEAT) && payload.path("status").isTextual()) {
      return Optional.of(beat(name, instance, payload, at));
    }
    if (!envelope.channel().equals(Channel.PRESENCE)) {
      return Optional.empty();
    }
    return switch (payload.path("event").asText()) {
      case "join" ->
          Optional.of(
              new Join(name, instance, word(payload.path("via")).filter(Identifiers::isName), at));
      case "leave" ->
          Optional.of(
              new Leave(name, instance, word(payload.path("reason")).orElse("no reason"), at));
      case "roster" -> {
        List<String> clients =
            payload
                .path("clients")
                .valueStream()
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .filter(Identifiers::isName)
                .toList();
        yield Optional.of(new Roster(name, instance, clients, at));
      }
      default -> Optional.empty();
    };
  }

  private static Beat beat(String name, String instance, JsonNode payload, Instant at) {
    JsonNode interval = payload.path("interval_s");
    boolean isUsual = interval.canConvertToInt() && interval.asInt() > 0;
    Instant busy = Timestamps.parse(payload.path("busy_until").asText());
    Instant latest = at.plus(BUSY_AT_MOST);
    return new Beat(
        name,
        instance,
        isUsual && interval.asInt() <= DAY_S ? interval.asInt() : null,
        busy == null || busy.isBefore(at) ? null : busy.isAfter(latest) ? latest : busy,
        word(payload.path("version")).orElse(null),
        at);
  }

  /** A short text of somebody else, without characters that steer a terminal. */
  private static Optional<String> word(JsonNode text) {
    return text.isTextual() && !text.textValue().isEmpty()
        ? Optional.of(
            UnicodeText.beginning(text.textValue().replaceAll("\\p{C}", " "), LONGEST_WORD))
        : Optional.empty();
  }
}
