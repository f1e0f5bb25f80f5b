package joshua.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Identifiers;
import joshua.kernel.UnicodeText;

/**
 * A message on {@link #CHANNELS}, from a participant about itself or from a relay about its clients
 * (wire contract §2). Malformed members count as absent.
 *
 * @param at the receipt
 */
public record PresenceMessage(Envelope envelope, Instant at) {
  /** The channels on which participants report their presence. */
  public static final Set<String> CHANNELS =
      Set.of(Channel.HEARTBEAT.name(), Channel.PRESENCE.name());

  private static final int MAX_TEXT_LENGTH = 64;

  /** What a message reports; {@code OTHER} is to be ignored. */
  public enum Event {
    HEARTBEAT,
    JOIN,
    LEAVE,
    ROSTER,
    OTHER
  }

  public Event event() {
    if (envelope.channel().equals(Channel.HEARTBEAT)) {
      return envelope.payload().path("status").isTextual() ? Event.HEARTBEAT : Event.OTHER;
    }
    return switch (envelope.payload().path("event").asText()) {
      case "join" -> Event.JOIN;
      case "leave" -> Event.LEAVE;
      case "roster" -> Event.ROSTER;
      default -> Event.OTHER;
    };
  }

  /** Whose presence it is; of a roster the relay's, see {@link #clients}. */
  public String name() {
    return envelope.senderId();
  }

  /** The instance of the participant, or of the relay that reports; may be empty. */
  public String instance() {
    return text("instance").orElse("");
  }

  /** The relay that reports this about its client. */
  public Optional<String> via() {
    return text("via").filter(Identifiers::isName);
  }

  /** Whether somebody who leaves still has a queue. */
  public boolean isAway() {
    return envelope.payload().path("away").asBoolean();
  }

  /** The clients of a relay that reports a roster. */
  public List<String> clients() {
    return envelope
        .payload()
        .path("clients")
        .valueStream()
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(Identifiers::isName)
        .toList();
  }

  /** A member's text, truncated, without control characters that could steer a terminal. */
  public Optional<String> text(String member) {
    return Optional.ofNullable(envelope.payload().path(member).textValue())
        .filter(text -> !text.isEmpty())
        .map(text -> UnicodeText.truncate(text.replaceAll("\\p{C}", " "), MAX_TEXT_LENGTH));
  }
}
