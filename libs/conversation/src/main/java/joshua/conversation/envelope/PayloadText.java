package joshua.conversation.envelope;

import com.fasterxml.jackson.databind.JsonNode;

/** The form of payloads for people. */
public final class PayloadText {
  private PayloadText() {}

  /**
   * The text of a payload that has nothing else, of a post of a thread, or of the end of a task;
   * otherwise its JSON.
   */
  public static String of(JsonNode payload) {
    if (payload.path("notification_type").asText().equals("task_update")) {
      return payload.at("/result/text").asText(payload.path("message").asText(payload.toString()));
    }
    JsonNode thread = payload.path("thread");
    int members = thread.has("seq") ? 2 : 1;
    if (payload.size() != members || !payload.path("text").isTextual()) {
      return payload.toString();
    }
    String post = "[%s #%s] ".formatted(thread.path("title").asText(), thread.path("seq"));
    return (members == 2 ? post : "") + payload.path("text").textValue();
  }
}
