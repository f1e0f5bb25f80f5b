package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import joshua.app.Services;
import joshua.kernel.Json;
import joshua.network.TokenFile;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RecordedLog;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The paths of the console, by HTTP, where visitors need tokens. */
class ConsoleCallsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private Path file;
  private RedisServer redis;
  private TestGroup group;
  private String address;
  private RawRedis raw;

  @BeforeEach
  void start() throws IOException {
    file = directory.resolve("tokens");
    TestGroup.writeTokens(file, "ann viewer", "oscar operator", "root admin");
    redis = SharedRedis.another();
    group = new TestGroup(redis, new TokenFile(file, Services.ACCESS, System::nanoTime));
    address = "http://127.0.0.1:" + group.port("rogers");
    raw = redis.connect();
  }

  @AfterEach
  void end() {
    raw.close();
    group.close();
    redis.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  /** As the page sends it. */
  private HttpResponse<String> post(String path, ObjectNode body, String authorization)
      throws Exception {
    String[] headers = {
      "Origin", address, "Content-Type", "application/json", "Authorization", authorization
    };
    return send("POST", path, body.toString(), headers);
  }

  private static JsonNode tree(HttpResponse<String> answer) throws Exception {
    return Json.parse(answer.body());
  }

  private String login(String name) throws Exception {
    ObjectNode body = Json.object().put("token", name);
    return "Session " + tree(post("/console/session", body, "none")).path("session").textValue();
  }

  private JsonNode call(String session, String service, String tool, Object... input)
      throws Exception {
    ObjectNode body = Json.object().put("service", service).put("tool", tool);
    body.set("input", Json.parse(FrameClient.input(input)));
    return tree(post("/console/call", body, session));
  }

  private JsonNode recent(String session, Object... input) throws Exception {
    return call(session, "rogers", "rogers_recent", input);
  }

  @Test
  void itsFilesComeWithStrictHeaders() throws Exception {
    HttpResponse<String> page = send("GET", "/", "");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'; script-src 'self'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("Set-Cookie")).isEmpty();
    String tag = page.headers().firstValue("ETag").orElseThrow();
    assertThat(send("GET", "/", "", "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(send("GET", "/console/app.js", "").headers().firstValue("Content-Type"))
        .hasValue("text/javascript;charset=utf-8");
    for (String none : List.of("x", "vendor", "..%2Fx.html", "vendor/..")) {
      assertThat(send("GET", "/console/" + none, "").statusCode()).as(none).isIn(400, 404);
    }
  }

  @Test
  void onlyThePageItselfMayCall() throws Exception {
    String json = "application/json";
    String port = "http://127.0.0.1:1";
    String[] paths = {"/console/call", "/console/session"};
    for (String path : paths) {
      assertThat(send("POST", path, "{}", "Content-Type", json).statusCode()).isEqualTo(403);
      for (String origin : List.of(port, "null", "http://evil.example", address + "1")) {
        HttpResponse<String> answer =
            send("POST", path, "{}", "Content-Type", json, "Origin", origin);
        assertThat(answer.statusCode()).as(origin).isEqualTo(403);
      }
      assertThat(send("POST", path, "{}", "Origin", address).statusCode()).isEqualTo(415);
    }
    assertThat(
            send("POST", "/console/code", "", "Origin", port, "Authorization", "Bearer root")
                .statusCode())
        .isEqualTo(403);
    assertThat(send("DELETE", "/console/session", "", "Origin", port).statusCode()).isEqualTo(403);
  }

  @Test
  void aSessionLastsAsLongAsItsToken() throws Exception {
    try (RecordedLog log = new RecordedLog("joshua", Level.DEBUG)) {
      assertThat(tree(send("GET", "/console/config", "")).toString())
          .isEqualTo("{\"version\":\"test\",\"login\":true}");
      HttpResponse<String> wrong =
          post("/console/session", Json.object().put("token", "wrong"), "none");
      assertThat(wrong.statusCode()).isEqualTo(401);
      String session = login("ann");
      JsonNode config = tree(send("GET", "/console/config", "", "Authorization", session));
      assertThat(config.path("identity").asText() + " " + config.path("role").asText())
          .isEqualTo("ann viewer");
      assertThat(config.path("services")).hasSize(5);
      assertThat(recent(session).path("status").asText()).isEqualTo("success");

      String code =
          tree(send("POST", "/console/code", "", "Authorization", "Bearer ann"))
              .path("code")
              .asText();
      assertThat(recent("Session " + code).path("code").asText()).isEqualTo("unauthenticated");
      ObjectNode redeemed = Json.object().put("code", code);
      assertThat(post("/console/session", redeemed, "none").statusCode()).isEqualTo(200);
      assertThat(post("/console/session", redeemed, "none").statusCode()).isEqualTo(401);

      String other = login("ann");
      send("DELETE", "/console/session", "", "Origin", address, "Authorization", other);
      assertThat(recent(other).path("code").asText()).isEqualTo("unauthenticated");
      TestGroup.writeTokens(file, "root admin");
      Await.until(
          "the token is revoked",
          () -> recent(session).path("code").asText().equals("unauthenticated"));
      assertThat(log.lines()).noneMatch(line -> line.contains(session.substring(8)));
    }
  }

  @Test
  void manySessionsOfOneVisitorEndNobodyElses() throws Exception {
    String root = login("root");
    String first = login("ann");
    for (int i = 0; i < 1_000; i++) {
      login("ann");
    }
    assertThat(recent(first).path("code").asText()).isEqualTo("unauthenticated");
    assertThat(recent(root).path("status").asText()).isEqualTo("success");
  }

  @Test
  void otherServicesAreCalledInTheVisitorsName() throws Exception {
    String ann = login("ann");
    String root = login("root");
    assertThat(call(root, "fiedler", "fiedler_list_tasks").path("status").asText())
        .isEqualTo("success");
    String[] asBob = {"client_id", "bob", "topics", "mad.topic.x"};
    assertThat(call(ann, "grace", "grace_subscribe", (Object[]) asBob).path("message").asText())
        .contains("must be ann");
    assertThat(call(ann, "grace", "grace_clients").path("message").asText())
        .startsWith("There is no tool");
    assertThat(call(ann, "nobody", "x").path("code").asText()).isEqualTo("invalid_input");

    // Who says on the bus to be a service isn't shown the token.
    raw.publish(
        "mad.system.heartbeat",
        RawEnvelope.on("mad.system.heartbeat")
            .from("stranger")
            .payload("{\"status\":\"HEALTHY\",\"detail\":{\"mcp\":\"http://127.0.0.1:1/mcp\"}}")
            .json());
    Await.until(
        "Rogers has heard it",
        () ->
            recent(root, "housekeeping", true, "sender_id", "stranger").path("messages").size()
                > 0);
    assertThat(call(root, "stranger", "x").path("code").asText()).isEqualTo("invalid_input");
    group.closePort("fiedler");
    JsonNode away = call(root, "fiedler", "fiedler_list_tasks");
    assertThat(away.path("code").asText()).isEqualTo("unavailable");
    assertThat(away.path("message").asText()).startsWith("fiedler at http://127.0.0.1:");
  }

  @Test
  void aDeepMessageOfOneHidesNobodysHistory() throws Exception {
    String deep = "{\"n\":".repeat(60) + "1" + "}".repeat(60);
    String channel = "mad.topic.deep";
    raw.publish(channel, RawEnvelope.on(channel).from("ann").payload(deep).json());
    String root = login("root");
    ObjectNode body = Json.object().put("service", "dewey").put("tool", "dewey_history");
    body.putObject("input").put("channel", channel);
    Await.until("Dewey shows it", () -> post("/console/call", body, root).body().contains(deep));
  }

  @Test
  void eachVisitorSeesWhatTheyMayRead() throws Exception {
    List<String> channels =
        List.of("mad.topic.x", "mad.direct.ann", "mad.direct.bob", "mad.stream.s", "mad.system.x");
    channels.forEach(channel -> raw.publish(channel, RawEnvelope.on(channel).json()));
    raw.publish("mad.topic.last", "no envelope");
    String root = login("root");
    String all = "mad.topic.x mad.direct.ann mad.direct.bob mad.stream.s mad.system.x";
    assertThat(seen(root, all)).isEqualTo(all);
    assertThat(seen(login("oscar"), "mad.topic.x"))
        .isEqualTo("mad.topic.x mad.stream.s mad.system.x");
    String ann = login("ann");
    assertThat(seen(ann, "mad.topic.x")).isEqualTo("mad.topic.x mad.direct.ann");
    JsonNode answer = recent(ann, "housekeeping", true);
    assertThat(answer.path("withheld").toString())
        .isEqualTo("[\"mad.direct.*\",\"mad.system.*\",\"mad.stream.*\"]");
    raw.publish("mad.direct.bob", RawEnvelope.on("mad.direct.bob").from("ann").json());
    assertThat(
            Await.value(
                    "her own is heard",
                    () -> recent(ann, "channels", "mad.direct.bob").path("messages"),
                    messages -> !messages.isEmpty())
                .findValuesAsText("sender_id"))
        .containsExactly("ann");
    String toDewey = "mad.direct.dewey";
    raw.publish(toDewey, RawEnvelope.on(toDewey).from("grace").json());
    raw.publish(toDewey, RawEnvelope.on(toDewey).from("someone").json());
    assertThat(
            Await.value(
                    "it is heard",
                    () -> recent(root, "channels", toDewey).path("messages"),
                    messages -> messages.findValuesAsText("sender_id").contains("someone"))
                .findValuesAsText("sender_id"))
        .doesNotContain("grace");
    JsonNode malformed = answer.path("messages").path(answer.path("messages").size() - 1);
    assertThat(malformed.path("text").asText()).isEqualTo("no envelope");
    assertThat(malformed.path("malformed").asText()).contains("JSON");
  }

  /** The channels of the messages by hand that a visitor sees, once those are there. */
  private String seen(String session, String atLeast) {
    return Await.value(
        "they are heard",
        () -> {
          JsonNode messages =
              recent(session, "housekeeping", true, "sender_id", "by-hand").path("messages");
          return String.join(" ", messages.findValuesAsText("channel"));
        },
        channels -> channels.startsWith(atLeast));
  }

  @Test
  void shownAndSkippedAndUnreadIsWhatPassed() throws Exception {
    String root = login("root");
    String before = recent(root).path("next").asText();
    publish(0, 3_000);
    long passed = 0;
    String next = before;
    JsonNode answer;
    do {
      answer = recent(root, "after", next, "channels", "mad.topic.x", "limit", 500);
      passed += answer.path("messages").size() + answer.path("skipped").asLong();
      next = answer.path("next").asText();
      assertThat(answer.has("unread")).isFalse();
    } while (passed < 3_000);
    assertThat(passed).isEqualTo(3_000);

    JsonNode even = recent(root, "after", before, "text", "\"even\"", "limit", 3);
    assertThat(even.path("messages").findValuesAsText("n")).containsExactly("2994", "2996", "2998");
    assertThat(even.path("skipped").asLong()).isEqualTo(1_497);
    publish(3_000, 6_000);
    String last = next;
    JsonNode late =
        Await.value(
            "all have come",
            () -> recent(root, "after", last, "limit", 1, "channels", "mad.topic.x"),
            each -> each.path("messages").findValuesAsText("n").equals(List.of("8999")));
    assertThat(late.path("unread").asLong()).isGreaterThanOrEqualTo(1_000);
    assertThat(late.path("unread").asLong() + late.path("skipped").asLong())
        .isGreaterThanOrEqualTo(5_999);
    assertThat(recent(root, "after", "1.5").has("skipped")).isFalse(); // of another start
    assertThat(recent(root, "after", "x").path("message").asText()).contains("next");
  }

  private void publish(int from, int number) {
    for (int i = from; i < from + number; i++) {
      String payload = "{\"n\":%d,\"is\":\"%s\"}".formatted(i, i % 2 == 0 ? "EVEN" : "odd");
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").payload(payload).json());
    }
  }
}
