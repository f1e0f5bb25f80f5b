package joshua.network.http;

import static joshua.network.http.McpFixture.INITIALIZE;
import static joshua.network.http.McpFixture.QUEUE;
import static joshua.network.http.McpFixture.call;
import static joshua.network.http.McpFixture.legacy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.network.Authenticator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of older clients over HTTP: what they keep, how they are pushed to, how they end. */
@Timeout(60)
class LegacySessionTest {
  private static final String SESSION = "Mcp-Session-Id";
  private static final String URI = "\"uri\":\"" + QUEUE + "\"";

  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new McpFixture(Authenticator.open(), 10_000);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private McpPost post(String body, String... headers) throws Exception {
    return McpPost.plain(fixture.port(), body, headers);
  }

  private String initialize() throws Exception {
    try (McpPost post = post(legacy(1, "initialize", INITIALIZE))) {
      assertThat(post.answer().has("result")).isTrue();
      return post.header(SESSION);
    }
  }

  @Test
  void whoHasNoSessionCannotWatchAndIsToldSo() throws Exception {
    try (McpPost post = post(legacy(2, "resources/subscribe", URI))) {
      JsonNode error = post.answer().path("error");
      assertThat(error.path("code").asInt()).isEqualTo(-32600);
      assertThat(error.path("message").asText()).contains("Mcp-Session-Id");
    }
    assertThat(fixture.queue.watchers).isEmpty();
    try (McpPost post = post(legacy(3, "resources/subscribe", URI), SESSION, initialize())) {
      assertThat(post.answer().has("result")).isTrue();
    }
    assertThat(fixture.queue.watchers).hasSize(1);
  }

  @Test
  void aStopEndsTheStreamOfPushesAndSendsTheAnswersUnderWay() throws Exception {
    String session = initialize();
    try (McpPost stream = McpPost.get(fixture.port(), session);
        McpPost waiting =
            post(legacy(2, "tools/call", call("wait", "so late")), SESSION, session)) {
      Thread stopping = Thread.ofVirtual().start(fixture.server::close);
      assertThatThrownBy(stream::event).hasMessageContaining("the stream ended");
      fixture.latch.countDown();
      assertThat(waiting.answer().at("/result/structuredContent/text").asText())
          .isEqualTo("so late");
      stopping.join();
    }
  }

  @Test
  void aStreamOpenedAnewEndsTheEarlierOneAndHearsEverything() throws Exception {
    String session = initialize();
    try (McpPost subscribed = post(legacy(2, "resources/subscribe", URI), SESSION, session);
        McpPost earlier = McpPost.get(fixture.port(), session)) {
      assertThat(subscribed.answer().has("result")).isTrue();
      fixture.queue.change();
      assertThat(earlier.event().at("/params/uri").asText()).isEqualTo(QUEUE);
      try (McpPost later = McpPost.get(fixture.port(), session)) {
        assertThatThrownBy(earlier::event).hasMessageContaining("the stream ended");
        for (int i = 0; i < 20; i++) {
          fixture.queue.change();
          assertThat(later.event().at("/params/uri").asText()).isEqualTo(QUEUE);
        }
      }
    }
  }

  private static final String CANCELLED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}";

  @Test
  void neitherANotificationNorAnAnswerMakesASession() throws Exception {
    String answer = "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}";
    for (String message : new String[] {CANCELLED, answer}) {
      try (McpPost post = post(message, SESSION, "a-session-of-nobody")) {
        assertThat(post.status()).isEqualTo(202);
      }
    }
    assertThat(fixture.meters.get("joshua.mcp.sessions").gauge().value()).isZero();
    String session = initialize();
    assertThat(fixture.meters.get("joshua.mcp.sessions").gauge().value()).isOne();
    assertThat(McpPost.delete(fixture.port(), session)).isEqualTo(200);
    try (McpPost post = post(CANCELLED, SESSION, session)) {
      assertThat(post.status()).isEqualTo(404);
    }
  }

  @Test
  void notificationsAreLimitedInTheirRateAsRequestsAre() throws Exception {
    try (McpFixture slow = new McpFixture(Authenticator.open(), 1, () -> 0, McpFixture.PASSING)) {
      for (int i = 0; i < 2; i++) {
        // Read to its end, so that the next one goes over the same connection.
        try (McpPost post = McpPost.plain(slow.port(), legacy(i, "ping", ""))) {
          assertThat(post.answer().has("result")).isTrue();
        }
      }
      try (McpPost post = McpPost.plain(slow.port(), CANCELLED)) {
        assertThat(post.status()).isEqualTo(429);
        assertThat(post.answer().at("/error/data/code").asText()).isEqualTo("rate_limited");
      }
      try (CollectingWsClient client = CollectingWsClient.open(slow.port(), "/mcp")) {
        client.send(CANCELLED);
        client.send(CANCELLED);
        client.send(legacy(1, "ping", ""));
        assertThat(client.next().at("/error/data/code").asText()).isEqualTo("rate_limited");
      }
    }
  }
}
