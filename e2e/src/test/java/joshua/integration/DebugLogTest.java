package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.testing.Await;
import joshua.testing.LogbackLogger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A correlation id can be followed through the log of debugging, which has no payloads. */
class DebugLogTest extends GroupTest {
  private static final Logger LOGGER = LogbackLogger.of("joshua");

  private final UUID correlation = UUID.randomUUID();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  @BeforeAll
  static void debug() {
    LOGGER.setLevel(Level.DEBUG);
  }

  @AfterAll
  static void debugNoMore() {
    LOGGER.setLevel(null);
  }

  @BeforeEach
  void listen() {
    appender.start();
    LOGGER.addAppender(appender);
  }

  @AfterEach
  void stop() {
    LOGGER.detachAppender(appender);
  }

  private void awaitLine(String beginning, String middle) {
    String end = "correlation id " + correlation;
    Await.value(
        beginning,
        () -> lines,
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
    Await.until("the poll", () -> lines.toString().contains("grace_poll_messages called: ok"));
    assertThat(lines).noneMatch(line -> line.contains("kept-to-themselves"));
  }

  @Test
  void aRequestToAServiceAndItsReply() {
    JsonNode answer =
        group.call(
            "grace_request",
            "client_id",
            ann,
            "to",
            "fiedler",
            "payload",
            Map.of("kept", "to themselves"),
            "correlation_id",
            correlation.toString());
    String asked = "message " + answer.path("message_id").asText();
    String reply = "message " + answer.path("reply").path("message_id").asText();
    awaitLine("sent: " + asked, "mad.direct.fiedler");
    awaitLine("delivered to subscription-fiedler: " + asked, "");
    awaitLine("sent: " + reply, toAnn);
    awaitLine("delivered to %s as a reply: %s".formatted(ann, reply), "");
    awaitLine("grace_request called: ok", "");
  }
}
