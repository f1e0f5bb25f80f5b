package joshua.grace.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.service.admin.MadStatusVerb;

/** The form of messages for people. */
public final class MessageText {
  private MessageText() {}

  /** The payload that somebody typed: a JSON object, or words that become its text. */
  static ObjectNode payload(String message) {
    try {
      if (Json.parse(message) instanceof ObjectNode object) {
        return object;
      }
    } catch (MalformedJsonException e) {
      // words, then
    }
    return Json.object().put("text", message);
  }

  /** The time of day at which a message was sent, in UTC. */
  public static String timeOf(JsonNode message) {
    String time = message.path("timestamp").asText();
    return time.length() > 19 ? time.substring(11, 19) + "Z" : time;
  }

  public static String ofGap(JsonNode gap) {
    String missed = gap.path("missed").isNumber() ? gap.path("missed").asText() : "some";
    return "Missed here: %s of the messages since %s (%s)."
        .formatted(missed, gap.path("since").asText(), gap.path("reason").asText());
  }

  /** Who gets a message, from the answer to its sender, as a part of a sentence. */
  public static String ofAudience(JsonNode answer) {
    return switch (answer.path("addressee").asText()) {
      case "present" -> "it listens now";
      case "queued" ->
          answer.path("wakes").asBoolean()
              ? "it sleeps, and is woken"
              : "it has a queue here, and collects it later";
      case "kept" -> "it doesn't listen now, and gets it when it does";
      case "away" -> "it doesn't listen now, and won't get it";
      case "unknown" ->
          "nobody of that name was heard since this relay started, %s ago%s"
              .formatted(
                  MadStatusVerb.elapsed(Instant.parse(answer.path("listening_since").asText())),
                  answer.path("kept").asBoolean() ? "; it is kept until somebody has it" : "");
      default -> {
        // All of this relay's queues together are one subscription.
        long queues = answer.path("queues").asLong();
        long receivers = answer.path("receivers").asLong() + Math.max(0, queues - 1);
        yield receivers == 0
            ? "nobody receives it"
            : "%d %s it".formatted(receivers, receivers == 1 ? "receives" : "receive");
      }
    };
  }
}
