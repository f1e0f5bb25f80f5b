package joshua.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sends messages that would take fifty times their size once parsed, within every size limit, to
 * the built program with the heap that it ships with: it survives, and others are served.
 */
@Tag("alone")
final class ParsedTreesIT {
  private static final int SOCKETS = 4;
  private static final int FRAMES = 3;
  private static final int FRAME_BYTES = (4 << 20) - 1_000;
  private static final int ENVELOPE_BYTES = (1 << 20) - 1_000;

  /** Times their bytes, more than the heap of 512 MiB. */
  private static final int SESSIONS = 150;

  private static final int LARGE_INITIALIZE = 3_900_000;
  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final String VIEWER = "token-of-the-viewer";
  private static final String WORKER = "token-of-the-worker";
  private static final String ADMIN = "token-of-the-admin";

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(WITHIN).build();
  private TestEnvironment environment;
  private GroupUnderTest groupUnderTest;

  @BeforeEach
  void start() throws Exception {
    environment = new TestEnvironment();
    String tokens =
        line(VIEWER, "viewer viewer") + line(WORKER, "worker operator") + line(ADMIN, "ada admin");
    groupUnderTest = environment.up("JOSHUA_TOKENS_FILE=" + environment.file("tokens", tokens));
  }

  private static String line(String token, String rest) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash) + " " + rest + "\n";
  }

  @AfterEach
  void stop() {
    environment.close();
  }

  /** A text with this beginning and end, and as many empty objects between as fit. */
  private static String filled(String begin, String end, int bytes) {
    return begin + "{},".repeat((bytes - begin.length() - end.length()) / 3) + end;
  }

  private RawWeb socket(String path) {
    return socket(path, VIEWER);
  }

  private RawWeb socket(String path, String token) {
    RawWeb web = environment.add(RawWeb.to(groupUnderTest.gracePort()));
    String head = web.upgrade(path, "localhost", "Authorization: Bearer " + token);
    assertThat(head).startsWith("HTTP/1.1 101 ");
    return web;
  }

  @Test
  void framesOfAViewer() throws Exception {
    String frame =
        filled(
            "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"a\":[",
            "{}]},\"request_id\":7}",
            FRAME_BYTES);

    for (String answer : answers("/ws", frame)) {
      JsonNode error = FrameSocketClient.parse(answer);
      assertThat(error.path("code").asText()).isEqualTo("too_large");
      assertThat(error.path("request_id").asInt()).isEqualTo(7);
    }
    assertOthersAreServed();
  }

  @Test
  void messagesOfMcpOverWebSocket() throws Exception {
    for (String answer : answers("/mcp", mcp())) {
      assertTooLarge(answer);
    }
    assertOthersAreServed();
  }

  private static String mcp() {
    return filled(
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\",\"params\":{\"a\":[",
        "{}]},\"id\":7}",
        FRAME_BYTES);
  }

  private static void assertTooLarge(String answer) {
    JsonNode error = FrameSocketClient.parse(answer);
    assertThat(error.path("id").asInt()).isEqualTo(7);
    assertThat(error.at("/error/data/code").asText()).isEqualTo("too_large");
  }

  /** The answers of all sockets to all frames, each sent before any answer is read. */
  private List<String> answers(String path, String frame) {
    List<RawWeb> sockets = IntStream.range(0, SOCKETS).mapToObj(_ -> socket(path)).toList();
    List<String> answers = new ArrayList<>();
    for (int n = 0; n < FRAMES; n++) {
      sockets.parallelStream().forEach(web -> web.text(frame));
      sockets.forEach(web -> answers.add(web.read().text()));
    }
    return answers;
  }

  /** Memory of the previous round may not be released yet: then the answer says when to retry. */
  private static String refusal(RawWeb web, McpText request) {
    String head = web.head();
    while (head.startsWith("HTTP/1.1 503 ")) {
      assertThat(head).contains("Retry-After: 1");
      assertThat(web.body(head)).contains("overloaded");
      web.say(request.post());
      head = web.head();
    }
    assertThat(head).startsWith("HTTP/1.1 413 ");
    return web.body(head);
  }

  @Test
  @Timeout(60)
  void messagesOfMcpOverHttp() throws Exception {
    McpText request = McpText.saying(mcp()).with("Authorization", "Bearer " + VIEWER);
    for (int n = 0; n < FRAMES; n++) {
      List<RawWeb> connections =
          IntStream.range(0, SOCKETS)
              .mapToObj(_ -> environment.add(RawWeb.to(groupUnderTest.gracePort())))
              .toList();
      connections.parallelStream().forEach(web -> web.say(request.post()));
      for (RawWeb web : connections) {
        assertTooLarge(refusal(web, request));
      }
    }
    assertOthersAreServed();
  }

  @Test
  void envelopesFromRedis() throws Exception {
    String payload = filled("{\"prompt\":\"tasks\",\"a\":[", "{}]}", ENVELOPE_BYTES - 600);
    try (RawRedis raw = groupUnderTest.raw()) {
      for (String channel : List.of("mad.direct.fiedler", "mad.direct.rogers", "mad.topic.x")) {
        String envelope = RawEnvelope.on(channel).from("eve").payload(payload).json();
        assertThat(envelope.length()).isLessThan(1 << 20);
        for (int n = 0; n < 16; n++) {
          raw.publish(channel, envelope);
        }
      }
    }

    assertOthersAreServed();
    FrameSocketClient rogers =
        environment.add(FrameSocketClient.to(groupUnderTest.port("rogers"), ADMIN));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> rogers.call("rogers_query", "{'name':'dead_letters','arguments':{}}").toString(),
            letters ->
                letters.contains("would take more than 24 MiB of memory")
                    && letters.contains("mad.direct.fiedler"));
  }

  @Test
  void whatIsSentThroughGraceIsRefusedBeforeItIsPublished() throws Exception {
    String frame =
        filled(
            "{\"tool_name\":\"grace_send_message\",\"tool_input\":{\"channel\":\"mad.topic.x\",\"payload\":{\"a\":[",
            "{}]}},\"request_id\":7}",
            ENVELOPE_BYTES);
    FrameSocketClient worker =
        environment.add(FrameSocketClient.to(groupUnderTest.gracePort(), WORKER));

    worker.say(frame);

    assertThat(worker.next().path("code").asText()).isEqualTo("too_large");
    String numbers = "0.1234567,".repeat(100_000);
    JsonNode sent = worker.send("worker", "mad.topic.x", "{'embedding':[" + numbers + "0]}");
    assertThat(sent.path("status").asText()).isEqualTo("success");
    assertOthersAreServed();
  }

  @Test
  void sessionsOfOlderClients() throws Exception {
    String large = "x".repeat(LARGE_INITIALIZE);
    McpText initialize =
        McpText.legacy(
                1,
                "initialize",
                "'protocolVersion':'2025-11-25','capabilities':{'experimental':{'x':'%s'}},'clientInfo':{'name':'hostile','version':'1'}"
                    .formatted(large))
            .with("Authorization", "Bearer " + VIEWER);
    String request = initialize.post();
    for (int n = 0; n < SESSIONS; n++) {
      try (RawWeb web = RawWeb.to(groupUnderTest.gracePort())) {
        String head = web.say(request).head();
        assertThat(head).as("session " + n).startsWith("HTTP/1.1 200 ");
        assertThat(web.body(head)).contains("serverInfo");
      }
    }
    assertOthersAreServed();
  }

  @Test
  void numbersThatWouldBeVeryLongWhenWrittenOut() throws Exception {
    FrameSocketClient worker =
        environment.add(FrameSocketClient.to(groupUnderTest.gracePort(), WORKER));
    FrameSocketClient rogers =
        environment.add(FrameSocketClient.to(groupUnderTest.port("rogers"), WORKER));
    RawWeb mcp = socket("/mcp", WORKER);
    for (String number : List.of("1e999999999", "-1e999999999", "1e-999999999", "9".repeat(100))) {
      String input = "{'client_id':'worker','wait_ms':%s}".formatted(number);
      JsonNode error = worker.call("grace_poll_messages", input);
      assertThat(error.path("code").asText()).as(number).isEqualTo("invalid_input");
      assertThat(error.path("message").asText()).contains("wait_ms");

      McpText call = McpText.legacyCall(7, "grace_poll_messages", input);
      mcp.text(call.body());
      assertInvalid(mcp.read().text());
      try (RawWeb web = RawWeb.to(groupUnderTest.gracePort())) {
        String head = web.say(call.with("Authorization", "Bearer " + WORKER).post()).head();
        assertInvalid(web.body(head));
      }

      JsonNode stats = rogers.call("rogers_get_stats", "{'topic_pattern':%s}".formatted(number));
      assertThat(stats.path("code").asText()).as(number).isEqualTo("invalid_input");
    }
    assertOthersAreServed();
  }

  private static void assertInvalid(String answer) {
    JsonNode result = FrameSocketClient.parse(answer).path("result");
    assertThat(result.path("isError").asBoolean()).as(answer).isTrue();
    assertThat(result.at("/content/0/text").asText()).startsWith("invalid_input: wait_ms ");
  }

  private void assertOthersAreServed() throws IOException, InterruptedException {
    for (String mad : List.of("grace", "fiedler", "rogers")) {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + groupUnderTest.port(mad) + "/healthz"))
              .timeout(WITHIN)
              .build();
      assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
    FrameSocketClient other =
        environment.add(FrameSocketClient.to(groupUnderTest.gracePort(), WORKER));
    assertThat(other.subscribe("worker", "mad.topic.other").path("status").asText())
        .isEqualTo("success");
    assertThat(other.send("worker", "mad.topic.other", "{}").path("queues").asInt()).isEqualTo(1);
    assertThat(other.poll("worker").path("messages")).isNotEmpty();
    assertThat(groupUnderTest.run().err()).doesNotContain("OutOfMemory");
  }
}
