package joshua.network.http;

import static joshua.network.http.McpFixture.INITIALIZE;
import static joshua.network.http.McpFixture.QUEUE;
import static joshua.network.http.McpFixture.assertRefused;
import static joshua.network.http.McpFixture.call;
import static joshua.network.http.McpFixture.legacy;
import static joshua.network.http.McpFixture.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.network.Authenticator;
import joshua.network.TokenFile;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpHttpTest {
  private static final String LISTEN =
      "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\""
          + QUEUE
          + "\",\"test://nothing\"]}";

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
    return McpPost.modern(fixture.port(), body, headers);
  }

  private JsonNode called(String tool, String text) throws Exception {
    try (McpPost post = post(modern(1, "tools/call", call(tool, text)))) {
      return post.answer().path("result");
    }
  }

  @Test
  void aQuickCallIsAnsweredAsOneJsonObjectWithTextAndStructure() throws Exception {
    try (McpPost post = post(modern(7, "tools/call", call("echo", "hi")))) {
      assertThat(post.header("Content-Type")).isEqualTo("application/json");
      JsonNode answer = post.answer();
      assertThat(answer.path("id").asInt()).isEqualTo(7);
      JsonNode result = answer.path("result");
      assertThat(result.path("resultType").asText()).isEqualTo("complete");
      assertThat(result.at("/content/0/text").asText()).isEqualTo("{\"text\":\"hi\"}");
      assertThat(result.at("/structuredContent/text").asText()).isEqualTo("hi");
      assertThat(result.has("isError")).isFalse();
    }
  }

  @Test
  void whatIsToldComesAheadOnAStreamAndRawLineEndsDontBreakIt() throws Exception {
    try (McpPost post = post(modern(1, "tools/call", call("tell", "")))) {
      assertThat(post.header("Content-Type")).startsWith("text/event-stream");
      assertThat(post.header("X-Accel-Buffering")).isEqualTo("no");
      JsonNode progress = post.event();
      assertThat(progress.path("method").asText()).isEqualTo("notifications/progress");
      assertThat(progress.at("/params/progressToken").asText()).isEqualTo("p-1");
      assertThat(progress.at("/params/message").asText()).isEqualTo("half");
      JsonNode answer = post.event();
      assertThat(answer.at("/result/structuredContent/message/pretty").asBoolean()).isTrue();
    }
  }

  @Test
  void closingTheStreamCancelsAStatelessCall() throws Exception {
    try (McpPost post = post(modern(1, "tools/call", call("hang", "")))) {
      assertThat(post.header("Content-Type")).startsWith("text/event-stream");
      assertThat(fixture.hanging.await(5, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(fixture.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLegacyCallOutlivesItsStreamAndIsCancelledByNotification() throws Exception {
    String session = initialize();
    try (McpPost _ =
        McpPost.plain(
            fixture.port(), legacy(5, "tools/call", call("hang", "")), "Mcp-Session-Id", session)) {
      assertThat(fixture.hanging.await(5, TimeUnit.SECONDS)).isTrue();
      McpPost.plain(
          fixture.port(),
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}",
          "Mcp-Session-Id",
          session);
      assertThat(fixture.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  private String initialize() throws Exception {
    try (McpPost post = McpPost.plain(fixture.port(), legacy(1, "initialize", INITIALIZE))) {
      assertThat(post.answer().at("/result/protocolVersion").asText()).isEqualTo("2025-11-25");
      return post.header("Mcp-Session-Id");
    }
  }

  @Test
  void aSessionOfBeforeARestartIsTakenOnAndAnEndedOneIsNot() throws Exception {
    String old = "a-session-of-another-process";
    try (McpPost post =
        McpPost.plain(
            fixture.port(), legacy(2, "tools/call", call("echo", "x")), "Mcp-Session-Id", old)) {
      assertThat(post.answer().at("/result/structuredContent/text").asText()).isEqualTo("x");
    }
    assertThat(McpPost.delete(fixture.port(), old)).isEqualTo(200);
    try (McpPost post =
        McpPost.plain(fixture.port(), legacy(3, "ping", ""), "Mcp-Session-Id", old)) {
      assertThat(post.status()).isEqualTo(404);
    }
  }

  @Test
  void aLegacySessionIsPushedToOnItsStream() throws Exception {
    String session = initialize();
    try (McpPost subscribed =
            McpPost.plain(
                fixture.port(),
                legacy(2, "resources/subscribe", "\"uri\":\"" + QUEUE + "\""),
                "Mcp-Session-Id",
                session);
        McpPost stream = McpPost.get(fixture.port(), session)) {
      assertThat(subscribed.answer().path("result").isEmpty()).isTrue();
      fixture.queue.change();
      assertThat(stream.event().path("method").asText())
          .isEqualTo("notifications/resources/updated");
      fixture.changes.toolsChanged();
      assertThat(stream.event().path("method").asText())
          .isEqualTo("notifications/tools/list_changed");
    }
    assertThat(McpPost.delete(fixture.port(), session)).isEqualTo(200);
    assertThat(fixture.queue.watchers).isEmpty();
  }

  @Test
  void aListenerIsAcknowledgedThenToldWhatItAskedForAndNothingElse() throws Exception {
    try (McpPost post = post(modern(3, "subscriptions/listen", LISTEN))) {
      JsonNode acknowledged = post.event();
      assertThat(acknowledged.path("method").asText())
          .isEqualTo("notifications/subscriptions/acknowledged");
      assertThat(Json.write(acknowledged.at("/params/notifications")))
          .isEqualTo("{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"" + QUEUE + "\"]}");
      fixture.changes.promptsChanged();
      fixture.queue.change();
      JsonNode updated = post.event();
      assertThat(updated.at("/params/uri").asText()).isEqualTo(QUEUE);
      assertThat(
              updated
                  .path("params")
                  .path("_meta")
                  .path("io.modelcontextprotocol/subscriptionId")
                  .asInt())
          .isEqualTo(3);
    }
    fixture.queue.change();
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> {
          fixture.queue.change();
          return fixture.queue.watchers.isEmpty();
        });
  }

  @Test
  void aStopEndsListeningWithAResult() throws Exception {
    try (McpPost post = post(modern(3, "subscriptions/listen", LISTEN))) {
      post.event();
      fixture.server.close();
      JsonNode result = post.event();
      assertThat(result.path("id").asInt()).isEqualTo(3);
      assertThat(result.at("/result/resultType").asText()).isEqualTo("complete");
    }
  }

  @Test
  void whatIsNoRequestIsRefusedBeforeAnythingElse() throws Exception {
    String body = modern(1, "tools/list", "");
    assertThat(post(body, "Content-Type", "text/plain").status()).isEqualTo(415);
    assertThat(post(body, "Accept", "application/json").status()).isEqualTo(406);
    assertThat(post(body, "Origin", "http://evil.example").status()).isEqualTo(403);
    String large = legacy(1, "tools/call", call("echo", "x".repeat(McpFixture.FRAME_LIMIT)));
    assertThat(McpPost.plain(fixture.port(), large).status()).isEqualTo(413);
    McpPost nested = McpPost.plain(fixture.port(), "[".repeat(1000));
    assertThat(nested.status()).isEqualTo(400);
    JsonNode tooDeep = nested.answer().path("error");
    assertThat(tooDeep.path("code").asInt()).isEqualTo(-32700);
    assertThat(tooDeep.path("message").asText())
        .isEqualTo("The message is nested more than 64 levels deep; send flatter values");
    McpPost batch = McpPost.plain(fixture.port(), "[" + legacy(1, "ping", "") + "]");
    assertThat(batch.answer().at("/error/code").asInt()).isEqualTo(-32600);
  }

  @Test
  void errorsAreOfTheProtocolOrOfTheToolAsMcpAsks() throws Exception {
    try (McpPost post = post(modern(1, "tools/call", call("gone", "")))) {
      assertThat(post.answer().at("/error/code").asInt()).isEqualTo(-32602);
    }
    try (McpPost post =
        post(modern(1, "tools/call", "\"name\":\"echo\",\"arguments\":{\"txt\":1}"))) {
      assertRefused(
          post.answer().path("result"), "invalid_input", "txt is not a member of the input");
    }
    try (McpPost post =
        McpPost.plain(
            fixture.port(),
            legacy(1, "tools/call", "\"name\":\"echo\",\"arguments\":{\"txt\":1}"))) {
      JsonNode result = post.answer().path("result");
      assertRefused(result, "invalid_input", "txt is not a member of the input");
      assertThat(result.path("_meta")).hasSize(1);
    }
    JsonNode broken = called("break", "");
    assertThat(broken.toString()).doesNotContain("secret", "Exception");
    JsonNode error = broken.path("_meta").path("joshua/error");
    assertRefused(broken, "internal", error.path("message").asText());
    assertThat(broken.at("/content/0/text").asText())
        .endsWith("\n{\"correlation_id\":\"%s\"}".formatted(error.path("correlation_id").asText()));
  }

  @Test
  void anAnswerIsTakenOnlyWithTheStateOfItsOwnRequest() throws Exception {
    JsonNode asked = called("ask", "a");
    assertThat(asked.path("resultType").asText()).isEqualTo("input_required");
    String again =
        "\"inputResponses\":{\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}},"
            + "\"requestState\":"
            + asked.path("requestState")
            + ",";
    try (McpPost post = post(modern(2, "tools/call", again + call("ask", "a")))) {
      assertThat(post.answer().at("/result/structuredContent/text").asText()).isEqualTo("Ann");
    }
    try (McpPost post = post(modern(2, "tools/call", again + call("ask", "other")))) {
      assertThat(post.answer().at("/error/code").asInt()).isEqualTo(-32602);
    }
  }

  @Test
  void tooManyCallsOfOneConnectionAreRateLimited() throws Exception {
    try (McpFixture slow = new McpFixture(Authenticator.open(), 1)) {
      for (int i = 0; i < 2; i++) {
        try (McpPost post =
            McpPost.modern(slow.port(), modern(1, "tools/call", call("echo", "")))) {
          assertThat(post.answer().path("result").has("isError")).isFalse();
        }
      }
      try (McpPost post = McpPost.modern(slow.port(), modern(1, "tools/call", call("echo", "")))) {
        JsonNode error = post.answer().at("/result/_meta/joshua~1error");
        assertThat(error.path("code").asText()).isEqualTo("rate_limited");
        assertThat(error.path("retry_after_ms").asLong()).isBetween(1L, 1000L);
      }
      try (McpPost post = McpPost.modern(slow.port(), modern(1, "tools/list", ""))) {
        assertThat(post.status()).isEqualTo(429);
        assertThat(post.answer().at("/error/data/retry_after_ms").asLong()).isPositive();
      }
    }
  }

  @Test
  void nonsenseIsLimitedInItsRateAsRequestsAre() throws Exception {
    try (McpFixture slow = new McpFixture(Authenticator.open(), 1)) {
      for (String nonsense : new String[] {"nonsense", "[]"}) {
        // Read to its end, so that the next one goes over the same connection.
        try (McpPost post = McpPost.plain(slow.port(), nonsense)) {
          assertThat(post.answer().at("/error/code").asInt()).isLessThan(-32000);
          assertThat(post.status()).isEqualTo(400);
        }
      }
      try (McpPost post = McpPost.plain(slow.port(), "{}")) {
        assertThat(post.status()).isEqualTo(429);
        assertThat(post.answer().at("/error/data/code").asText()).isEqualTo("rate_limited");
      }
      try (McpPost post = McpPost.modern(slow.port(), modern(1, "no/such/method", ""))) {
        assertThat(post.status()).isEqualTo(429);
      }
    }
  }

  /** Work goes on for clients that hang up, so the test needs no 4096 connections. */
  @Test
  @TriesLimit("http.working")
  void oneRequestMoreThanIsWorkedOnIsRefused() throws Exception {
    try (McpFixture busy = new McpFixture(Authenticator.open(), 10_000)) {
      String body = legacy(1, "tools/call", call("wait", "x"));
      for (int i = 0; i < McpHttp.MAX_WORKING; i++) {
        try (RawClient client = new RawClient(busy.port())) {
          client.say(
              """
              POST /mcp HTTP/1.1
              Host: 127.0.0.1
              Content-Type: application/json
              Accept: application/json, text/event-stream
              Content-Length: %d

              %s\
              """
                  .formatted(body.length(), body));
          assertThat(busy.began.poll(10, TimeUnit.SECONDS)).isEqualTo("x");
        }
      }
      try (McpPost refused = McpPost.plain(busy.port(), body)) {
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.answer().at("/error/data/code").asText()).isEqualTo("overloaded");
      }
      busy.latch.countDown();
      await().until(() -> McpPost.plain(busy.port(), body).status() == 200);
    }
  }

  @Test
  @TriesLimit("http.listening")
  void oneListenerMoreThanThereMayBeIsRefused() throws Exception {
    List<McpPost> listeners = new ArrayList<>();
    try (McpFixture small =
        new McpFixture(
            Authenticator.open(), 1_000, System::nanoTime, McpFixture.PASSING, Thread::sleep, 16)) {
      String listen = modern(3, "subscriptions/listen", LISTEN);
      for (int i = 0; i < ConnectionLimits.of(16).listening(); i++) {
        McpPost listener = McpPost.modern(small.port(), listen);
        listeners.add(listener);
        assertThat(listener.status()).isEqualTo(200);
      }
      try (McpPost refused = McpPost.modern(small.port(), listen)) {
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.answer().at("/error/data/code").asText()).isEqualTo("overloaded");
      }
    } finally {
      for (McpPost listener : listeners) {
        listener.close();
      }
    }
  }

  @Test
  void aTokenFixesWhoCalls(@TempDir Path directory) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest("t0k".getBytes("UTF-8"));
    Path file = directory.resolve("tokens");
    Files.writeString(file, HexFormat.of().formatHex(hash) + " alice operator\n");
    try (McpFixture guarded = new McpFixture(TokenFile.open(file, System::nanoTime), 10_000)) {
      String body = modern(1, "tools/call", call("whoami", ""));
      assertThat(McpPost.modern(guarded.port(), body).status()).isEqualTo(401);
      try (McpPost post = McpPost.modern(guarded.port(), body, "Authorization", "Bearer t0k")) {
        assertThat(post.answer().at("/result/structuredContent/text").asText()).isEqualTo("alice");
      }
    }
  }

  @Test
  void oneWhoNeverReadsHoldsUpNobodyAndNoTool() throws Exception {
    try (RawClient deaf = new RawClient(fixture.port());
        McpPost listener = post(modern(3, "subscriptions/listen", LISTEN))) {
      String body = modern(3, "tools/call", call("flood", ""));
      deaf.request(
          """
          POST /mcp HTTP/1.1
          Host: localhost
          Content-Type: application/json
          MCP-Protocol-Version: 2026-07-28
          Mcp-Method: tools/call
          Mcp-Name: flood
          Content-Length: %d

          %s\
          """
              .formatted(body.length() + body.split("\n", -1).length - 1, body));
      listener.event();
      for (int i = 0; i < 20; i++) {
        fixture.queue.change();
        assertThat(listener.event().at("/params/uri").asText()).isEqualTo(QUEUE);
        assertThat(called("echo", "on").at("/structuredContent/text").asText()).isEqualTo("on");
      }
      assertThat(fixture.flooded.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
