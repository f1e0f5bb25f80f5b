package joshua.integration;

import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replies whose authors didn't copy the ids, as models forget to (+JC-10). */
class AnswerWithoutIdsTest extends GroupTest {
  @BeforeEach
  void subscribe() {
    grace.subscribe(bob, toBob);
    grace.subscribe(ann, toAnn);
  }

  private FrameClient asking(Object... asker) {
    ObjectNode request =
        Json.object().put("to", bob).put("timeout_ms", 25_000).set("payload", Json.object());
    if (asker.length > 0) {
      request.put("client_id", asker[0].toString());
    }
    FrameClient client = group.client();
    client.begin("grace_request", request.toString());
    return client;
  }

  /** The next message, which bob takes. */
  private JsonNode read() {
    return grace.poll(bob, "wait_ms", 60_000, "max_messages", 1).at("/messages/0");
  }

  private JsonNode say(String to, Map<String, Object> payload) {
    return succeeded(grace.send(bob, "mad.direct." + to, payload));
  }

  @Test
  void isTheReplyToTheRequestThatItsAuthorHasJustRead() {
    try (FrameClient asker = asking(ann)) {
      JsonNode request = read();
      grace.poll(bob); // with nothing in it
      assertThat(say(ann, Map.of("status", "success")).has("answers")).isFalse();
      JsonNode sent = say(ann, Map.of("text", "yes"));
      JsonNode reply = asker.next().path("reply");
      assertThat(sent.path("answers")).isEqualTo(request.path("correlation_id"));
      assertThat(reply.at("/payload/text").asText()).isEqualTo("yes");
      assertThat(reply.path("conversation_id")).isEqualTo(request.path("conversation_id"));
      assertThat(say(ann, Map.of("text", "more")).has("answers")).isFalse();
      assertThat(texts(grace.poll(ann))).as("the rest").containsExactly("more");
    }
  }

  @Test
  void isTheReplyOfWhomTheCommandLineAsks() {
    try (FrameClient asker = asking()) {
      String from = read().path("sender_id").asText();
      say(from, Map.of("text", "yes"));
      assertThat(asker.next().at("/reply/payload/text").asText()).isEqualTo("yes");
    }
  }

  @Test
  void isNoReplyWhereItsAuthorHasReadTwoRequestsOfOneAsker() {
    try (FrameClient first = asking(ann);
        FrameClient second = asking(ann)) {
      String cursor = grace.subscribe(bob, "mad.broadcast").path("cursor").asText();
      JsonNode both;
      do {
        both = grace.poll(bob, "wait_ms", 60_000, "cursor", cursor).path("messages");
      } while (both.size() < 2);
      JsonNode sent = say(ann, Map.of("text", "yes"));
      assertThat(sent.has("answers")).isFalse();
      assertThat(sent.path("note").asText()).contains("2 requests of " + ann, "correlation_id");
      both.forEach(request -> grace.reply(bob, request, Map.of()));
      assertThat(first.next().path("reply").isObject()).isTrue();
      assertThat(second.next().path("reply").isObject()).isTrue();
    }
  }
}
