package joshua.conversation.envelope;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The codec between an {@link Envelope} and the bytes of a Redis message (wire contract §1). */
public final class EnvelopeCodec {
  /** The largest envelope, in bytes. */
  public static final int MAX_BYTES = 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(EnvelopeCodec.class);
  private static final int INITIAL_BUFFER_BYTES = 512;

  /** The members that each envelope has. */
  public static final List<String> MEMBERS =
      List.of(
          "message_id",
          "conversation_id",
          "correlation_id",
          "timestamp",
          "sender_id",
          "recipient_id",
          "channel",
          "payload");

  private EnvelopeCodec() {}

  /** The failure to decode a message; its text names the wrong members and their rules. */
  public static final class MalformedEnvelopeException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    private MalformedEnvelopeException(String reason) {
      super(reason);
    }
  }

  /**
   * Encodes an envelope, of any size.
   *
   * @throws IllegalArgumentException if nobody could read it: its payload has an unpaired
   *     surrogate, or more than {@link Json#MAX_DEPTH} levels
   */
  public static byte[] encode(Envelope envelope) {
    try (ByteArrayBuilder bytes = new ByteArrayBuilder(INITIAL_BUFFER_BYTES)) {
      try (JsonGenerator json = Json.mapper().createGenerator(bytes)) {
        json.writeStartObject();
        json.writeStringField("message_id", envelope.messageId().toString());
        json.writeStringField("conversation_id", envelope.conversationId().toString());
        json.writeStringField("correlation_id", envelope.correlationId().toString());
        json.writeStringField("timestamp", Timestamps.format(envelope.timestamp()));
        json.writeStringField("sender_id", envelope.senderId());
        json.writeFieldName("recipient_id");
        json.writeString(envelope.recipientId().orElse(null));
        json.writeStringField("channel", envelope.channel().name());
        json.writeFieldName("payload");
        json.writeTree(envelope.payload());
        for (var member : envelope.more().entrySet()) {
          json.writeFieldName(member.getKey());
          json.writeTree(member.getValue());
        }
        json.writeEndObject();
      }
      byte[] written = bytes.toByteArray();
      if (Json.hasUnpairedSurrogate(written)) {
        throw new IllegalArgumentException(
            "payload must have no half of a surrogate pair in a string");
      }
      return written;
    } catch (StreamConstraintsException e) {
      throw new IllegalArgumentException(
          "payload must not be nested more than %d levels deep".formatted(Json.MAX_DEPTH - 1), e);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
  }

  /** Decodes a message that came on a channel. */
  public static Envelope decode(String channelName, byte[] body) throws MalformedEnvelopeException {
    if (body.length > MAX_BYTES) {
      throw new MalformedEnvelopeException(
          "the message must be at most %d bytes; it is %d".formatted(MAX_BYTES, body.length));
    }
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (Json.MalformedJsonException e) {
      throw new MalformedEnvelopeException("the message " + e.getMessage());
    }
    if (!(tree instanceof ObjectNode object)) {
      throw new MalformedEnvelopeException(
          "the message must be a JSON object with the members " + String.join(", ", MEMBERS));
    }
    return new Reader(channelName, object, new ArrayList<>(0)).envelope();
  }

  /** As {@link #decode}, but empty for an invalid envelope; the debug log says why. */
  public static Optional<Envelope> tryDecode(String channelName, byte[] body) {
    try {
      return Optional.of(decode(channelName, body));
    } catch (MalformedEnvelopeException e) {
      log.debug("a malformed message on {}: {}", channelName, e.getMessage());
      return Optional.empty();
    }
  }

  /** The reader of an object's members, which collects all that is wrong with them. */
  private record Reader(String channelName, ObjectNode object, List<String> problems) {
    Envelope envelope() throws MalformedEnvelopeException {
      if (!MEMBERS.stream().allMatch(object::has)) {
        problems.add(
            MEMBERS.stream()
                .filter(name -> !object.has(name))
                .collect(
                    Collectors.joining(", ", "the envelope lacks ", "; every member is required")));
      }
      if (!Channel.isChannel(channelName)) {
        problems.add("the channel's name " + Channel.RULE);
      }
      UUID messageId = read("message_id", Identifiers::parseUuid, Identifiers.UUID_RULE);
      UUID conversationId = read("conversation_id", Identifiers::parseUuid, Identifiers.UUID_RULE);
      UUID correlationId = read("correlation_id", Identifiers::parseUuid, Identifiers.UUID_RULE);
      Instant timestamp = read("timestamp", Timestamps::parse, Timestamps.RULE);
      String senderId = read("sender_id", Reader::name, Identifiers.NAME_RULE);
      boolean addressed = !object.path("recipient_id").isNull();
      String recipientId =
          addressed
              ? read("recipient_id", Reader::name, Identifiers.NAME_RULE + ", or be null")
              : null;
      read(
          "channel",
          text -> text.equals(channelName) ? text : null,
          "must be the channel it was published on");
      JsonNode payload = object.path("payload");
      if (!payload.isObject() && !payload.isMissingNode()) {
        problems.add("payload must be an object, for example {\"text\":\"hi\"}");
      }
      if (!problems.isEmpty()) {
        throw new MalformedEnvelopeException(String.join("; ", problems));
      }
      return new Envelope(
          messageId,
          conversationId,
          correlationId,
          timestamp,
          senderId,
          Optional.ofNullable(recipientId),
          new Channel(channelName),
          (ObjectNode) payload,
          more());
    }

    private static @Nullable String name(String text) {
      return Identifiers.isName(text) ? text : null;
    }

    /** A member that is a string; null only where there is a problem. */
    @SuppressWarnings("NullAway")
    private <T> T read(String member, Function<String, @Nullable T> parse, String rule) {
      JsonNode node = object.path(member);
      T value = node.isTextual() ? parse.apply(node.textValue()) : null;
      if (value == null && !node.isMissingNode()) {
        problems.add(member + " " + (node.isTextual() ? rule : "must be a string"));
      }
      return value;
    }

    private Map<String, JsonNode> more() {
      if (object.size() == MEMBERS.size()) {
        return Map.of();
      }
      Map<String, JsonNode> more = new LinkedHashMap<>();
      object.properties().forEach(member -> more.put(member.getKey(), member.getValue()));
      more.keySet().removeAll(MEMBERS);
      return more;
    }
  }
}
