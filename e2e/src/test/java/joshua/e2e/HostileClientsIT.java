package joshua.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that clients that send nonsense, too much, too fast, or never read harm only themselves: a
 * neighbour's messages get through all the while. No answer reveals internals.
 */
@Tag("alone")
final class HostileClientsIT {
  private static final Duration STILL_BEARABLE = Duration.ofSeconds(3);
  private static final int FRAME_LIMIT = 4 << 20;
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;
  private static WellBehavedClient wellBehavedClient;

  private final List<RawWeb> crowd = new ArrayList<>();
  private int roundsBefore;

  @BeforeAll
  static void start() {
    groupUnderTest = STAGE.up("JOSHUA_RATE_LIMIT=2000");
    wellBehavedClient = STAGE.add(new WellBehavedClient(groupUnderTest.client()));
  }

  @AfterAll
  static void stop() {
    System.out.printf(
        "beside hostile clients: %d messages to itself, 50%% within %s, 99%% within %s, all within %s%n",
        wellBehavedClient.rounds(),
        wellBehavedClient.slowest(50),
        wellBehavedClient.slowest(1),
        wellBehavedClient.slowest(0));
    STAGE.close();
    assertThat(wellBehavedClient.slowest(1).whole()).isLessThan(STILL_BEARABLE);
  }

  @BeforeEach
  void lookAtTheNeighbour() {
    roundsBefore = wellBehavedClient.rounds();
  }

  @AfterEach
  void theNeighbourLivesOn() {
    crowd.forEach(RawWeb::close);
    int rounds = wellBehavedClient.rounds();
    await().until(() -> wellBehavedClient.rounds() > rounds);
    assertThat(wellBehavedClient.rounds()).isGreaterThan(roundsBefore);
    assertThat(wellBehavedClient.troubles()).isEmpty();
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(groupUnderTest.run().err()).doesNotContain("OutOfMemory");
  }

  static Stream<List<String>> nonsense() {
    return Stream.of(
        List.of("invalid_json", ""),
        List.of("invalid_json", "garbage"),
        List.of("invalid_json", "{\"tool_name\":"),
        List.of("invalid_json", "{\"tool_name\":\"a\",\"tool_name\":\"b\",\"tool_input\":{}}"),
        List.of("invalid_json", "{} {}"),
        List.of("invalid_json", "[".repeat(100_000)),
        List.of("invalid_json", "{\"a\":".repeat(100_000)),
        List.of("invalid_json", "1" + "0".repeat(100_000)),
        List.of("invalid_input", "[1,2]"),
        List.of("invalid_input", "\"text\""),
        List.of("invalid_input", "null"),
        List.of("invalid_input", "{}"),
        List.of("invalid_input", "{\"tool_name\":5,\"tool_input\":{}}"),
        List.of("invalid_input", "{\"tool_name\":\"grace_poll_messages\"}"),
        List.of("invalid_input", "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":[]}"),
        List.of("invalid_input", "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{}}"),
        List.of(
            "invalid_input",
            "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"client_id\":\"a b\"}}"),
        List.of(
            "invalid_input",
            "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"client_id\":\"a\",\"cursor\":\"AAAA\"}}"),
        List.of(
            "forbidden",
            "{\"tool_name\":\"grace_send_message\",\"tool_input\":{\"channel\":\"mad.system.presence\",\"payload\":{}}}"),
        List.of("unknown_tool", "{\"tool_name\":\"rm\",\"tool_input\":{}}"),
        List.of(
            "too_large",
            "{\"tool_name\":\"grace_send_message\",\"tool_input\":{\"channel\":\"mad.topic.x\",\"payload\":{\"x\":\"%s\"}}}"
                .formatted("x".repeat(1 << 20))));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseIsAnsweredWithItsReasonAndTheSocketStaysUsable(List<String> given) {
    FrameSocketClient client = groupUnderTest.client();

    client.say(given.getLast());

    String answer = client.nextText();
    JsonNode error = FrameSocketClient.parse(answer);
    assertThat(error.path("status").asText()).isEqualTo("error");
    assertThat(error.path("code").asText()).isEqualTo(given.getFirst());
    assertThat(error.path("message").asText()).isNotBlank().hasSizeLessThan(400);
    ProcessInspection.assertHidden(answer);
    assertThat(client.subscribe("survivor", "mad.topic.x").path("status").asText())
        .isEqualTo("success");
  }

  @Test
  void aCursorOfSomebodyElseIsNoCursor() {
    FrameSocketClient client = groupUnderTest.client();
    String foreign = client.subscribe("owner", "mad.topic.x").path("cursor").asText();
    client.subscribe("thief", "mad.topic.x");

    JsonNode answer =
        client.call(
            "grace_poll_messages", "{'client_id':'thief','cursor':'%s'}".formatted(foreign));

    assertThat(answer.path("code").asText()).isEqualTo("invalid_input");
    assertThat(answer.path("message").asText()).contains("cursor");
  }

  @Test
  void aFrameBeyondTheLimitClosesItsSocket() {
    RawWeb whole = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    whole.frame(0x80 | RawWeb.TEXT, new byte[FRAME_LIMIT + 1], true);
    assertThat(whole.read().code()).isEqualTo(1009);

    // In parts that are each within the limit.
    RawWeb parts = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    byte[] half = "x".repeat(FRAME_LIMIT / 2 + 1).getBytes(UTF_8);
    parts.part(RawWeb.TEXT, half).part(RawWeb.CONTINUATION, half);
    assertThat(parts.read().code()).isEqualTo(1009);
  }

  @Test
  void whatIsNoTextClosesItsSocket() {
    FrameSocketClient binary = groupUnderTest.client();
    binary.sayBinary(new byte[] {1, 2, 3});
    assertThat(binary.closed())
        .isEqualTo(new FrameSocketClient.Closed(1003, "only text frames are understood"));

    RawWeb noUtf8 = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    noUtf8.frame(0x80 | RawWeb.TEXT, new byte[] {'"', (byte) 0xff, '"'}, true);
    assertThat(noUtf8.read().code()).isEqualTo(1007);

    RawWeb unmasked = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    unmasked.frame(0x80 | RawWeb.TEXT, "{}".getBytes(UTF_8), false);
    assertThat(unmasked.read().code()).isEqualTo(1002);

    RawWeb reserved = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    reserved.frame(0xf0 | RawWeb.TEXT, "{}".getBytes(UTF_8), true);
    assertThat(reserved.read().code()).isEqualTo(1002);
  }

  @Test
  void oneWhoNeverReadsIsCutOffWithAReason() {
    FrameSocketClient sender = groupUnderTest.client();
    RawWeb deaf = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    askForMuch(deaf, sender, "deaf", 40);

    groupUnderTest.run().awaitErr("slow reader: more than 32 MiB wait");
    assertThat(deaf.ends()).isTrue();
  }

  @Test
  void manyWhoNeverReadDoNotTakeAllMemory() {
    FrameSocketClient sender = groupUnderTest.client();
    AtomicInteger count = new AtomicInteger();

    // Each asks for just less than one socket may keep waiting.
    many(60, web -> askForMuch(web.frames(), sender, "deaf-" + count.incrementAndGet(), 9));

    groupUnderTest.run().awaitErr("MiB are held for all, and most for this one");
    assertOthersAreServed();
  }

  @Test
  void manyUnfinishedMessagesDoNotTakeAllMemory() {
    byte[] almost = new byte[FRAME_LIMIT - 1];
    Arrays.fill(almost, (byte) 'x');

    many(150, web -> web.frames().part(RawWeb.TEXT, almost));

    groupUnderTest.run().awaitErr("MiB are held for all, and most for this one");
    assertOthersAreServed();
  }

  @Test
  void manyUnfinishedBodiesDoNotTakeAllMemory() {
    String almost = "x".repeat(FRAME_LIMIT - 1);

    many(150, web -> web.say(post(FRAME_LIMIT) + almost));

    assertOthersAreServed();
  }

  @Test
  void manyAnswersThatNobodyReadsDoNotTakeAllMemory() {
    FrameSocketClient sender = groupUnderTest.client();
    String cursor = sender.subscribe("library", "mad.direct.library").path("cursor").asText();
    sendTwoLarge(sender, "library");
    String poll =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grace_poll_messages",\
        "arguments":{"client_id":"library","cursor":"%s"}}}\
        """
            .formatted(cursor);

    many(100, web -> web.say(post(poll.length()) + poll));

    assertOthersAreServed();
  }

  private static String post(int length) {
    return """
    POST /mcp HTTP/1.1
    Host: localhost
    Content-Type: application/json
    Accept: application/json, text/event-stream
    MCP-Protocol-Version: 2025-11-25
    Content-Length: %d

    """
        .formatted(length);
  }

  /** Makes many connections do the same; some are cut off while they do, or before. */
  private void many(int count, Consumer<RawWeb> each) {
    for (int i = 0; i < count; i++) {
      RawWeb web = RawWeb.to(groupUnderTest.gracePort());
      crowd.add(web);
      try {
        each.accept(web);
      } catch (UncheckedIOException e) {
        // Cut off.
      }
    }
  }

  private static void assertOthersAreServed() {
    FrameSocketClient other = groupUnderTest.client();
    other.subscribe("other", "mad.topic.other");
    assertThat(other.send("other", "mad.topic.other", "{}").path("queues").asInt()).isEqualTo(1);
    assertThat(other.poll("other").path("messages")).isNotEmpty();
  }

  /** Subscribes, has two large messages sent, and asks for them again and again. */
  private static void askForMuch(RawWeb deaf, FrameSocketClient sender, String name, int times) {
    deaf.text(
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"client_id\":\"%s\",\"topics\":[\"mad.direct.%s\"]}}"
            .formatted(name, name));
    String cursor = FrameSocketClient.parse(deaf.read().text()).path("cursor").asText();
    sendTwoLarge(sender, name);
    for (int i = 0; i < times; i++) {
      deaf.text(
          "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"client_id\":\"%s\",\"cursor\":\"%s\",\"wait_ms\":5000},\"request_id\":%d}"
              .formatted(name, cursor, i));
    }
  }

  private static void sendTwoLarge(FrameSocketClient sender, String to) {
    for (int n = 0; n < 2; n++) {
      JsonNode sent =
          sender.send("sender", "mad.direct." + to, "{'x':'%s'}".formatted("x".repeat(1_000_000)));
      assertThat(sent.path("queues").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aThousandHalfOpenConnectionsTakeNothingFromOthers() {
    many(1_000, web -> web.say("GET /ws HTTP/1.1\nHost: loc"));

    assertOthersAreServed();
    assertThat(groupUnderTest.get("/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void aForeignHostOrOriginIsForbidden() {
    for (String path : List.of("/ws", "/mcp")) {
      assertForbidden(path, "evil.example");
      assertForbidden(path, "localhost.evil.example:8000");
      assertForbidden(path, "localhost", "Origin: http://evil.example");
      assertForbidden(path, "localhost", "Origin: null");
      String welcome =
          STAGE
              .add(RawWeb.to(groupUnderTest.gracePort()))
              .upgrade(
                  path,
                  "localhost:" + groupUnderTest.gracePort(),
                  "Origin: http://localhost:3000",
                  "Sec-WebSocket-Protocol: mcp");
      assertThat(welcome).startsWith("HTTP/1.1 101 ");
    }
    for (String path : List.of("/metrics", "/mcp")) {
      RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.gracePort()));
      String head = web.say("GET %s HTTP/1.1\nHost: evil.example\n\n".formatted(path)).head();
      assertThat(head).startsWith("HTTP/1.1 403 ");
      ProcessInspection.assertHidden(head + web.body(head));
    }
  }

  private static void assertForbidden(String path, String host, String... headers) {
    RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.gracePort()));
    String head = web.upgrade(path, host, headers);
    assertThat(head).startsWith("HTTP/1.1 403 ");
    String body = web.body(head);
    assertThat(FrameSocketClient.parse(body).path("code").asText()).isEqualTo("forbidden");
    ProcessInspection.assertHidden(head + body);
  }

  @Test
  void brokenHttpIsAnsweredWithoutATraceOfTheInside() {
    for (String request :
        List.of(
            "NONSENSE\n\n",
            "GET / HTTP/9.9\n\n",
            "GET /no/such/page HTTP/1.1\nHost: localhost\n\n",
            "GET /%zz HTTP/1.1\nHost: localhost\n\n",
            "GET /..%2f..%2fetc/passwd HTTP/1.1\nHost: localhost\n\n",
            "GET /healthz HTTP/1.1\nHost: localhost\nX: " + "x".repeat(20_000) + "\n\n",
            "POST /mcp HTTP/1.1\nHost: localhost\nContent-Length: -5\n\n",
            "GET /ws HTTP/1.1\nHost: localhost\n\n",
            "DELETE /ws HTTP/1.1\nHost: localhost\n\n",
            "POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
                + "Accept: application/json, text/event-stream\nContent-Length: 7\n\ngarbage",
            "POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
                + "Accept: application/json, text/event-stream\nContent-Length: 2\n\n[]")) {
      RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.gracePort()));
      String head = web.say(request).head();
      assertThat(head).as(request).containsPattern("^HTTP/1\\.1 (4\\d\\d|505) ");
      ProcessInspection.assertHidden(head + web.body(head));
    }
  }

  @Test
  void aFloodIsRefusedBeyondTheRateAndTheRestServed() {
    FrameSocketClient flood = groupUnderTest.client();
    List<CompletableFuture<JsonNode>> asked =
        IntStream.range(0, 20_000)
            .mapToObj(n ->
                flood.begin(
                    "grace_send_message",
                    FrameSocketClient.object("{'channel':'mad.topic.flood','payload':{}}")))
            .toList();

    Map<String, Integer> answers = new TreeMap<>();
    for (CompletableFuture<JsonNode> each : asked) {
      JsonNode answer = FrameSocketClient.await(each);
      String kind = answer.path("code").asText("success");
      answers.merge(kind, 1, Integer::sum);
      if (kind.equals("rate_limited")) {
        assertThat(answer.path("retry_after_ms").asLong()).isPositive();
      }
    }

    System.out.println("a flood of " + asked.size() + " calls: " + answers);
    assertThat(answers).containsKeys("success", "rate_limited");
    assertThat(answers.keySet()).isSubsetOf("success", "rate_limited", "overloaded");
  }
}
