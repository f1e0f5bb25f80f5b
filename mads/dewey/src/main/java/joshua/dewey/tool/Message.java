package joshua.dewey.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.dewey.mail.KeptMessage;
import joshua.kernel.Json;
import joshua.network.RawJson;
import joshua.network.SchemaHint;
import joshua.network.ToolCall;
import org.jspecify.annotations.Nullable;

/** A kept message in an answer. */
record Message(
    @SchemaHint("Its place in the bus's order") long position,
    Instant heardAt,
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @SchemaHint("Of direct messages: waiting, given to the recipient, or collected by it")
        @Nullable String state,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant acknowledgedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @SchemaHint("Of the recipient, who has acknowledged it")
        @Nullable RawJson response,
    RawJson envelope) {
  /** The most that an answer may have of messages. */
  static final int MAX_BYTES = 2_000_000;

  static final int BESIDE_MESSAGES = 2_000;
  private static final int BESIDE_ENVELOPE = 120;

  private static Message of(KeptMessage kept) {
    return new Message(
        kept.position(),
        kept.heardAt(),
        kept.state(),
        kept.acknowledgedAt(),
        kept.response() == null ? null : raw(kept.response()),
        raw(kept.body()));
  }

  private static RawJson raw(String json) {
    return new RawJson(json.getBytes(StandardCharsets.UTF_8));
  }

  /** How many bytes of messages an answer may have, if its caller doesn't say. */
  static int room(@Nullable Integer maxBytes, ToolCall call) {
    int preferred = Math.min(MAX_BYTES, call.context().preferredMaxBytes() - BESIDE_MESSAGES);
    return Objects.requireNonNullElse(maxBytes, preferred);
  }

  /** The first of some messages, as many as there is room for; at least one. */
  static List<Message> fitting(List<KeptMessage> all, int room) {
    List<Message> fitting = new ArrayList<>();
    int left = room;
    for (KeptMessage kept : all) {
      Message each = of(kept);
      int response = each.response == null ? 0 : each.response.utf8().length;
      int bytes = each.envelope.utf8().length + response + BESIDE_ENVELOPE;
      if (bytes > left && !fitting.isEmpty()) {
        break;
      }
      fitting.add(bytes > left ? each.withoutPayload() : each);
      left -= bytes;
    }
    return fitting;
  }

  /** The same, with a payload that says where to read it whole. */
  private Message withoutPayload() {
    ObjectNode whole = (ObjectNode) Json.parseTrusted(envelope.utf8());
    whole
        .retain(EnvelopeCodec.MEMBERS)
        .putObject("payload")
        .putObject("kept")
        .put("position", position)
        .put("bytes", envelope.utf8().length)
        .put(
            "read",
            "dewey_history {\"conversation_id\":%s,\"before\":%d,\"limit\":1,\"max_bytes\":%d}"
                .formatted(whole.path("conversation_id"), position + 1, MAX_BYTES));
    RawJson shortened = new RawJson(Json.bytes(whole));
    return new Message(position, heardAt, state, acknowledgedAt, response, shortened);
  }
}
