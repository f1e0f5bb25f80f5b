package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.app.bridge.RemoteService;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;

/** A message that goes the way of a client's: by MCP to Grace, over the bus, and back by a poll. */
final class RoundTrip {
  private static final Map<String, String> HEADERS = Map.of("MCP-Protocol-Version", "2025-11-25");
  private static final int WAIT_MS = 5_000;

  private final RemoteService grace;
  private final String name = "doctor-" + UUID.randomUUID();
  private final String topic = "mad.topic." + name;

  RoundTrip(RemoteService grace) {
    this.grace = grace;
  }

  /** Sends it and collects it, or says why that isn't possible. */
  void run() throws IOException, InterruptedException {
    ObjectNode subscription = self();
    subscription.putArray("topics").add(topic);
    call("grace_subscribe", subscription);
    try {
      ObjectNode message = self().put("channel", topic);
      message.putObject("payload").put("text", name);
      call("grace_send_message", message);
      JsonNode polled = call("grace_poll_messages", self().put("wait_ms", WAIT_MS));
      if (!polled.path("messages").path(0).path("payload").path("text").asText().equals(name)) {
        throw new IOException("What was sent to %s didn't come back: %s".formatted(topic, polled));
      }
    } finally {
      call("grace_unsubscribe", self());
    }
  }

  private ObjectNode self() {
    return Json.object().put("client_id", name);
  }

  private JsonNode call(String tool, ObjectNode arguments)
      throws IOException, InterruptedException {
    ObjectNode request =
        Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
    request.putObject("params").put("name", tool).set("arguments", arguments);
    List<String> said = new ArrayList<>();
    grace.post(request.toString(), HEADERS, said::add);
    try {
      JsonNode answer = Json.parse(said.getLast());
      JsonNode output = answer.path("result").path("structuredContent");
      if (!output.isObject()) {
        String refusal = answer.at("/result/content/0/text").asText(answer.toString());
        throw new IOException("%s was refused: %s".formatted(tool, refusal));
      }
      return output;
    } catch (MalformedJsonException e) {
      throw new IOException("%s was answered by what can't be read".formatted(tool), e);
    }
  }
}
