package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.UUID;
import joshua.testing.Await;
import joshua.testing.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A correlation id can be followed through the log of debugging, which has no payloads. */
class DebugLogTest extends GroupTest {
  private final UUID correlation = UUID.randomUUID();
  @AutoClose private static final RecordedLog log = new RecordedLog("joshua", Level.DEBUG);

  private void awaitLine(String beginning, String middle) {
    String end = "correlation id " + correlation;
    Await.value(
        beginning,
        log::lines,
        all ->
            all.stream()
                .anyMatch(line ->
                    line.startsWith(beginning) && line.contains(middle) && line.endsWith(end)));
  }

  @Test
  void aMessageFromItsSendToItsPoll() {
    grace.subscribe(bob, toBob);
    JsonNode sent =
        grace.send(ann, toBob, Map.of("text", "kept-to-themselves"), "correlation_id", correlation);
    String message = "message " + sent.path("message_id").asText();
    grace.poll(bob, "wait_ms", 60_000);
    awaitLine("grace_send_message called: ok", "");
    awaitLine("sent: " + message, toBob);
    awaitLine("delivered to %s: %s".formatted(bob, message), "");
    Await.until("a poll", () -> log.lines().toString().contains("grace_poll_messages called: ok"));
    assertThat(log.lines()).noneMatch(line -> line.contains("kept-to-themselves"));
  }

  @Test
  void aRequestToAServiceAndItsReply() {
    JsonNode answer =
        grace.request(
            ann, "fiedler", Map.of("kept", "to themselves"), "correlation_id", correlation);
    String asked = "message " + answer.path("message_id").asText();
    String reply = "message " + answer.at("/reply/message_id").asText();
    awaitLine("sent: " + asked, "mad.direct.fiedler");
    awaitLine("delivered to subscription-fiedler: " + asked, "");
    awaitLine("sent: " + reply, toAnn);
    awaitLine("delivered to %s as a reply: %s".formatted(ann, reply), "");
    awaitLine("grace_request called: ok", "");
  }
}
