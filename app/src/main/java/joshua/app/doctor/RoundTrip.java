package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.network.RemoteService;

/** A test message on a client's way: by MCP to Grace, over the bus, and back by a poll. */
final class RoundTrip {
  private static final int WAIT_MS = 5_000;

  private final RemoteService grace;
  private final String name = "doctor-" + UUID.randomUUID().toString().substring(0, 8);
  private final String topic = "mad.topic." + name;

  RoundTrip(RemoteService grace) {
    this.grace = grace;
  }

  /** Sends it and collects it, or says why that isn't possible. */
  void run() throws IOException, InterruptedException {
    ObjectNode subscription = self();
    subscription.putArray("topics").add(topic);
    grace.call("grace_subscribe", subscription);
    try {
      ObjectNode message = self().put("channel", topic);
      message.putObject("payload").put("text", name);
      grace.call("grace_send_message", message);
      JsonNode polled = grace.call("grace_poll_messages", self().put("wait_ms", WAIT_MS));
      if (!polled.path("messages").path(0).path("payload").path("text").asText().equals(name)) {
        throw new IOException("What was sent to %s didn't come back: %s".formatted(topic, polled));
      }
    } finally {
      grace.call("grace_unsubscribe", self());
    }
  }

  private ObjectNode self() {
    return Json.object().put("client_id", name);
  }
}
