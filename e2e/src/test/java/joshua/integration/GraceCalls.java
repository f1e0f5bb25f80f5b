package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.RawRedis;

/** Grace's tools as tests call them, each call over a connection of its own. */
final class GraceCalls {
  private final TestGroup group;

  GraceCalls(TestGroup group) {
    this.group = group;
  }

  JsonNode subscribe(String client, String... topics) {
    return succeeded(group.call("grace_subscribe", "client_id", client, "topics", topics));
  }

  JsonNode send(String from, String channel, Object payload) {
    return group.call(
        "grace_send_message", "client_id", from, "channel", channel, "payload", payload);
  }

  JsonNode poll(String client, Object... more) {
    return group.call(
        "grace_poll_messages",
        Stream.concat(Stream.of("client_id", client), Stream.of(more)).toArray());
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
