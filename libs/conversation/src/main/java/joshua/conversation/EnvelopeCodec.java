package joshua.conversation;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.TreeCost;

/** The codec between an {@link Envelope} and the bytes of a Redis message. */
public final class EnvelopeCodec {
  public static final String TIMESTAMP_RULE =
      "must be ISO-8601 in UTC with milliseconds, such as 2026-01-31T23:59:59.000Z";

  /** In the order in which they are written, and reported when missing. */
  static final List<String> MEMBERS =
      List.of(
          "message_id",
          "conversation_id",
          "correlation_id",
          "timestamp",
          "sender_id",
          "recipient_id",
          "channel",
          "payload");

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern TIMESTAMP_SHAPE =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z");

  private EnvelopeCodec() {}

  /** The bytes on a channel aren't an envelope; the message has the member and its rule. */
  public static final class MalformedEnvelopeException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedEnvelopeException(String reason) {
      super(reason);
    }
  }

  public static byte[] encode(Envelope envelope) {
    return Json.bytes(tree(envelope));
  }

  /** The envelope as JSON, its eight members first. */
  public static ObjectNode tree(Envelope envelope) {
    ObjectNode tree = Json.object();
    tree.put("message_id", envelope.messageId().toString());
    tree.put("conversation_id", envelope.conversationId().toString());
    tree.put("correlation_id", envelope.correlationId().toString());
    tree.put("timestamp", timestamp(envelope.timestamp()));
    tree.put("sender_id", envelope.senderId());
    tree.put("recipient_id", envelope.recipientId().orElse(null));
    tree.put("channel", envelope.channel().name());
    tree.set("payload", envelope.payload());
    envelope.unknown().forEach(tree::set);
    return tree;
  }

  /** Formats an instant as the contract does, {@code 2026-01-31T23:59:59.000Z}. */
  public static String timestamp(Instant instant) {
    return TIMESTAMP.format(instant);
  }

  /**
   * Decodes a published message.
   *
   * @param channelName the channel on which the bytes came, according to Redis
   */
  public static Envelope decode(String channelName, byte[] body) throws MalformedEnvelopeException {
    Channel channel =
        Channel.parse(channelName)
            .orElseThrow(
                () -> new MalformedEnvelopeException("the channel's name " + Channel.RULE));
    if (!TreeCost.isBearable(body, 0, body.length)) {
      throw new MalformedEnvelopeException("the message " + TreeCost.RULE);
    }
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (Json.MalformedJsonException e) {
      throw new MalformedEnvelopeException("the message " + e.getMessage());
    }
    if (!(tree instanceof ObjectNode object)) {
      throw new MalformedEnvelopeException("the message must be a JSON object");
    }
    String claimed = text(object, "channel");
    if (!claimed.equals(channelName)) {
      throw new MalformedEnvelopeException("channel must be the channel it was published on");
    }
    return envelope(object, channel);
  }

  /** A member that must be there; otherwise all that are missing are reported at once. */
  private static JsonNode member(ObjectNode object, String name) throws MalformedEnvelopeException {
    JsonNode node = object.get(name);
    if (node == null) {
      throw new MalformedEnvelopeException(
          "the envelope lacks "
              + MEMBERS.stream().filter(each -> !object.has(each)).collect(joining(", "))
              + "; every member is required");
    }
    return node;
  }

  private static Envelope envelope(ObjectNode object, Channel channel)
      throws MalformedEnvelopeException {
    if (!(member(object, "payload") instanceof ObjectNode payload)) {
      throw new MalformedEnvelopeException("payload must be an object");
    }
    try {
      return new Envelope(
          uuid(object, "message_id"),
          uuid(object, "conversation_id"),
          uuid(object, "correlation_id"),
          instant(object),
          text(object, "sender_id"),
          recipient(object),
          channel,
          payload,
          unknown(object));
    } catch (IllegalArgumentException e) {
      throw new MalformedEnvelopeException(String.valueOf(e.getMessage()));
    }
  }

  private static String text(ObjectNode object, String member) throws MalformedEnvelopeException {
    JsonNode node = member(object, member);
    if (!node.isTextual()) {
      throw new MalformedEnvelopeException(member + " must be a string");
    }
    return node.textValue();
  }

  private static UUID uuid(ObjectNode object, String member) throws MalformedEnvelopeException {
    return BusIdentifiers.parseUuid(text(object, member))
        .orElseThrow(() -> new MalformedEnvelopeException(member + " " + BusIdentifiers.UUID_RULE));
  }

  private static Instant instant(ObjectNode object) throws MalformedEnvelopeException {
    String text = text(object, "timestamp");
    if (!TIMESTAMP_SHAPE.matcher(text).matches()) {
      throw new MalformedEnvelopeException("timestamp " + TIMESTAMP_RULE);
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new MalformedEnvelopeException("timestamp " + TIMESTAMP_RULE);
    }
  }

  private static Optional<String> recipient(ObjectNode object) throws MalformedEnvelopeException {
    JsonNode node = member(object, "recipient_id");
    return node.isNull() ? Optional.empty() : Optional.of(text(object, "recipient_id"));
  }

  private static Map<String, JsonNode> unknown(ObjectNode object) {
    if (object.size() == MEMBERS.size()) {
      return Map.of();
    }
    Map<String, JsonNode> unknown = new LinkedHashMap<>();
    object
        .properties()
        .forEach(member -> {
          if (!MEMBERS.contains(member.getKey())) {
            unknown.put(member.getKey(), member.getValue());
          }
        });
    return unknown;
  }
}
