package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawRedis;

/** Grace's tools as tests call them, each call over a connection of its own. */
final class GraceCalls {
  private final TestGroup group;

  GraceCalls(TestGroup group) {
    this.group = group;
  }

  JsonNode call(String tool, Object... members) {
    return group.call(tool, members);
  }

  JsonNode subscribe(String client, String... topics) {
    return succeeded(group.call("grace_subscribe", "client_id", client, "topics", topics));
  }

  JsonNode send(String from, String channel, Object payload, Object... more) {
    return call(
        "grace_send_message", "client_id", from, "channel", channel, "payload", payload, more);
  }

  /** Sends what has the ids of a message. */
  JsonNode reply(String from, JsonNode message, Object payload) {
    String channel = "mad.direct." + message.path("sender_id").asText();
    JsonNode id = message.path("correlation_id");
    return succeeded(send(from, channel, payload, "correlation_id", id));
  }

  JsonNode request(String from, String to, Object payload, Object... more) {
    return call("grace_request", "client_id", from, "to", to, "payload", payload, more);
  }

  /** Waits until another connection polls for somebody. */
  void awaitPoll(String client) {
    Await.until(client + " is polled", () -> isPolled(client));
  }

  boolean isPolled(String client) {
    return subscribe(client, "mad.direct." + client).has("already_polling_since");
  }

  JsonNode poll(String client, Object... more) {
    return call("grace_poll_messages", "client_id", client, more);
  }

  /** The values of {@code text} in the payloads of an answer's messages. */
  static List<String> texts(JsonNode answer) {
    return answer.path("messages").findValuesAsText("text");
  }

  static JsonNode succeeded(JsonNode answer) {
    assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
    return answer;
  }

  /** The next message that a connection to Redis hears. */
  static JsonNode heard(RawRedis subscribed) throws Json.MalformedJsonException {
    String message = subscribed.read();
    return Json.parse(message.substring(message.indexOf('{'), message.lastIndexOf('}') + 1));
  }

  static String code(JsonNode answer) {
    return answer.path("code").asText();
  }
}
