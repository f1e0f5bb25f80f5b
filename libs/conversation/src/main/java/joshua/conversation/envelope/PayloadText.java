package joshua.conversation.envelope;

import com.fasterxml.jackson.databind.JsonNode;

/** The form of payloads for people. */
public final class PayloadText {
  private PayloadText() {}

  /** The text of a payload that has nothing else, or of the end of a task; otherwise its JSON. */
  public static String of(JsonNode payload) {
    if (payload.path("notification_type").asText().equals("task_update")) {
      return payload.at("/result/text").asText(payload.path("message").asText(payload.toString()));
    }
    boolean isText = payload.size() == 1 && payload.path("text").isTextual();
    return isText ? payload.path("text").textValue() : payload.toString();
  }
}
