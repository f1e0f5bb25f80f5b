package joshua.integration;

import static joshua.integration.GraceCalls.code;
import static joshua.integration.GraceCalls.texts;
import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.request;
import static joshua.integration.McpClient.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.app.Services;
import joshua.kernel.Json;
import joshua.network.TokenFile;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers with tokens: who they are and what they may do (+JN-04, wire contract §3, "Roles"). */
class TokensTest {
  @TempDir private Path directory;
  private Path tokens;
  private RedisServer redis;
  private TestGroup group;
  private final List<FrameClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    tokens = directory.resolve("tokens");
    write("ann operator", "bob operator", "eve viewer", "root admin", "auditor viewer");
    redis = SharedRedis.another();
    group = new TestGroup(redis, new TokenFile(tokens, Services.ACCESS, System::nanoTime));
  }

  @AfterEach
  void end() {
    clients.forEach(FrameClient::close);
    group.close();
    redis.close();
  }

  private void write(String... holders) throws IOException {
    TestGroup.writeTokens(tokens, holders);
  }

  private FrameClient client(String token) {
    return client(group.gracePort(), token);
  }

  private FrameClient client(int port, String token) {
    FrameClient client = FrameClient.withToken(port, "/ws", token);
    clients.add(client);
    return client;
  }

  private static JsonNode subscribe(FrameClient client, String name, String... topics) {
    return client.call("grace_subscribe", FrameClient.input("client_id", name, "topics", topics));
  }

  private static JsonNode send(FrameClient client, String channel, String text) {
    return client.call(
        "grace_send_message",
        FrameClient.input("channel", channel, "payload", Json.object().put("text", text)));
  }

  private static JsonNode poll(FrameClient client, String name) {
    return client.call("grace_poll_messages", FrameClient.input("client_id", name));
  }

  @Test
  void nobodyIsServedWithoutToken() throws Exception {
    McpClient http = new McpClient(group.gracePort());
    ObjectNode ping = request("ping", Json.object());

    HttpResponse<String> without = http.post(ping);
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(code(tree(without))).isEqualTo("unauthenticated");
    assertThat(http.post(ping, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
    assertThat(http.post(ping, "Authorization", "bearer ann").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> new FrameClient(group.gracePort()))
        .hasRootCauseMessage("Unexpected HTTP response status code 401");
    assertThatThrownBy(() -> FrameClient.ofMcp(group.gracePort(), "mcp"))
        .hasRootCauseMessage("Unexpected HTTP response status code 401");
    assertThat(RequestHeadTest.response(group.gracePort(), "GET /ws", RequestHeadTest.UPGRADE))
        .startsWith("HTTP/1.1 401")
        .doesNotContain("Set-Cookie");

    // Clients that try OAuth then show what it answers in its form.
    URI register = URI.create("http://127.0.0.1:%d/register".formatted(group.gracePort()));
    HttpResponse<String> oauth =
        http.send(HttpRequest.newBuilder(register).POST(McpClient.body("{}")).build());
    assertThat(oauth.statusCode()).isEqualTo(404);
    assertThat(tree(oauth).path("error").asText()).isEqualTo("access_denied");
    assertThat(tree(oauth).path("error_description").asText()).startsWith("A token is needed here");
  }

  @Test
  void theBeginningOfADirectMessageIsForAdministrators() {
    try (RawRedis raw = redis.connect()) {
      raw.publish("mad.direct.ann", "a secret");
    }
    String letters = FrameClient.input("name", "dead_letters");
    JsonNode all =
        Await.value(
            "the dead letter is listed",
            () -> client(group.port("rogers"), "root").call("rogers_query", letters).path("rows"),
            rows -> !rows.isEmpty());
    assertThat(all.at("/0/head").asText()).isEqualTo("a secret");
    for (String token : List.of("bob", "eve", "auditor")) {
      JsonNode rows =
          client(group.port("rogers"), token).call("rogers_query", letters).path("rows");
      assertThat(rows.at("/0/head").asText()).isEqualTo("direct messages are for administrators");
    }
  }

  @Test
  void t2TokenFixesTheName() throws Exception {
    FrameClient ann = client("ann");
    Object[] message = {"from", "bob", "to", "eve", "content", "hi"};
    assertThat(code(dewey("ann", "diverga_message_send", message))).isEqualTo("forbidden");
    Object[] post = {"client_id", "bob", "thread_id", UUID.randomUUID(), "body", Json.object()};
    assertThat(code(dewey("ann", "dewey_post", post))).isEqualTo("forbidden");
    assertThat(code(subscribe(ann, "bob", "mad.broadcast"))).isEqualTo("forbidden");
    String bobsBell = FrameClient.input("client_id", "bob");
    assertThat(code(ann.call("grace_await", bobsBell))).isEqualTo("forbidden");
    assertThat(subscribe(ann, "ann", "mad.topic.x").path("status").asText()).isEqualTo("success");
    send(client("bob"), "mad.topic.x", "hi");
    assertThat(poll(ann, "ann").at("/messages/0/sender_id").asText()).isEqualTo("bob");
    ObjectNode params = Json.object().put("uri", "grace://clients/ann/queue");
    McpClient http = new McpClient(group.gracePort());
    assertThat(read(http, params, "ann").has("result")).isTrue();
    assertThat(read(http, params, "bob").at("/error/code").asInt()).isEqualTo(-32002);
    assertThat(read(http, params, "root").at("/error/code").asInt()).isEqualTo(-32002);
  }

  @Test
  void nameInTheUrlIsCheckedAsThatOfACall() throws Exception {
    ObjectNode subscribe = call("grace_subscribe", "topics", "mad.topic.x");
    McpClient ann = new McpClient(group.gracePort(), "?client_id=ann");
    JsonNode asBob = tree(ann.post(subscribe, "Authorization", "Bearer bob"));
    JsonNode asAnn = tree(ann.post(subscribe, "Authorization", "Bearer ann"));
    assertThat(asBob.at("/result/_meta/joshua~1error/code").asText()).isEqualTo("forbidden");
    assertThat(asAnn.at("/result/structuredContent/status").asText()).isEqualTo("success");
    assertThat(ann.post(subscribe).statusCode()).isEqualTo(401);
  }

  private static JsonNode read(McpClient http, ObjectNode params, String token) throws Exception {
    return tree(http.post(request("resources/read", params), "Authorization", "Bearer " + token));
  }

  @Test
  void roleSaysWhatOneMayDo() {
    FrameClient eve = client("eve");
    assertThat(code(send(eve, "mad.topic.x", "hi"))).isEqualTo("forbidden");
    JsonNode own = subscribe(eve, "eve", "mad.topic.x", "mad.broadcast", "mad.direct.eve");
    assertThat(own.path("status").asText()).isEqualTo("success");
    assertThat(subscribe(eve, "eve", "mad.system.*").path("message").asText()).contains("operator");
    assertThat(subscribe(client("ann"), "ann", "mad.system.*").path("status").asText())
        .isEqualTo("success");
  }

  @Test
  void whatIsSentToOthersIsForAdministratorsAndDirectReaders() {
    FrameClient ann = client("ann");
    FrameClient bob = client("bob");
    JsonNode refused = subscribe(ann, "ann", "mad.direct.bob");
    assertThat(code(refused)).isEqualTo("forbidden");
    JsonNode wide = subscribe(ann, "ann", "mad.*");
    assertThat(wide.path("withheld").toString()).isEqualTo("[\"mad.direct.*\"]");
    FrameClient auditor = client("auditor");
    FrameClient root = client("root");
    for (JsonNode all :
        List.of(subscribe(auditor, "auditor", "mad.*"), subscribe(root, "root", "mad.*"))) {
      assertThat(all.path("status").asText()).isEqualTo("success");
      assertThat(all.has("withheld")).isFalse();
    }
    JsonNode sent = send(bob, "mad.direct.carl", "secret");
    send(bob, "mad.direct.ann", "for ann");
    assertThat(sent.path("queues").asInt()).isEqualTo(2);
    assertThat(texts(poll(ann, "ann"))).containsExactly("for ann");
    assertThat(texts(poll(auditor, "auditor"))).containsExactly("secret", "for ann");
    assertThat(texts(poll(root, "root"))).containsExactly("secret", "for ann");
  }

  @Test
  void whatIsKeptIsReadByWhoMayReadIt() {
    send(client("ann"), "mad.direct.carl", "secret");
    JsonNode kept = kept("auditor", "dewey_history", "participant", "carl");
    Await.until(
        "its words to be indexed",
        () -> mentions(dewey("auditor", "dewey_search", "text", "secret")));
    JsonNode conversation = kept.at("/messages/0/envelope/conversation_id");
    String message = kept.at("/messages/0/envelope/message_id").asText();
    Object[][] ways = {
      {"participant", "ann"},
      {"participant", "carl"},
      {"channel", "mad.direct.carl"},
      {"conversation_id", conversation},
      {"correlation_id", kept.at("/messages/0/envelope/correlation_id")}
    };
    for (String token : List.of("ann", "bob", "eve", "auditor", "root")) {
      boolean may = !List.of("bob", "eve").contains(token);
      for (Object[] way : ways) {
        assertThat(mentions(dewey(token, "dewey_history", way)))
            .as("%s by %s", token, List.of(way))
            .isEqualTo(may);
      }
      assertThat(mentions(dewey(token, "dewey_search", "text", "secret")))
          .as("a search by %s", token)
          .isEqualTo(may);
      JsonNode trace = dewey(token, "dewey_trace", "message_id", message);
      assertThat(mentions(trace)).as("a trace by %s", token).isEqualTo(may);
      assertThat(code(trace)).isEqualTo(may ? "" : "unknown_message");
      JsonNode asked =
          client(group.port("rogers"), token)
              .call("rogers_get_conversation", FrameClient.input("conversation_id", conversation));
      assertThat(mentions(asked)).as("%s: %s", token, asked).isEqualTo(may);
      assertThat(mentions(dewey(token, "dewey_query", "name", "mail"))).isFalse();
    }
    for (String token : List.of("ann", "bob", "eve")) {
      assertThat(code(dewey(token, "dewey_mail", "client_id", "carl"))).isEqualTo("forbidden");
    }
    assertThat(mentions(dewey("auditor", "dewey_mail", "client_id", "carl"))).isTrue();
    JsonNode taken = dewey("auditor", "dewey_mail", "client_id", "carl", "collect", true);
    assertThat(code(taken)).isEqualTo("forbidden");
  }

  @Test
  void aMessageIsAcknowledgedByItsRecipientAlone() {
    send(client("ann"), "mad.direct.eve", "secret");
    JsonNode kept = kept("eve", "dewey_mail", "client_id", "eve");
    String id = kept.at("/messages/0/envelope/message_id").asText();
    assertThat(acknowledging("ann", "eve", id)).isEqualTo("forbidden");
    assertThat(acknowledging("auditor", "eve", id)).isEqualTo("forbidden");
    assertThat(acknowledging("ann", "ann", id)).as("her own").isEqualTo("unknown_message");
    Object response = Map.of("text", "yes");
    assertThat(acknowledging("eve", "eve", id, "response", response)).isEqualTo("forbidden");
    assertThat(acknowledging("eve", "eve", id)).isEmpty();
    assertThat(acknowledging("root", "eve", id)).as("an identity is a name").isEqualTo("forbidden");
  }

  /** The code with which that is refused, if it is. */
  private String acknowledging(String token, String name, String id, Object... more) {
    return code(dewey(token, "dewey_acknowledge", "client_id", name, "message_id", id, more));
  }

  private JsonNode dewey(String token, String tool, Object... input) {
    return client(group.port("dewey"), token).call(tool, FrameClient.input(input));
  }

  private JsonNode kept(String token, String tool, Object... input) {
    return Await.value("it is kept", () -> dewey(token, tool, input), TokensTest::mentions);
  }

  private static boolean mentions(JsonNode answer) {
    return answer.toString().contains("secret");
  }

  @Test
  void whoMayReadLessIsCutOffWhilePollingAndLosesAQueueThatHasMore() throws Exception {
    FrameClient root = client("root");
    subscribe(root, "root", "mad.*");
    McpClient http = new McpClient(group.gracePort());
    ObjectNode call = call("grace_poll_messages", "client_id", "root", "wait_ms", 600_000);
    HttpRequest poll = http.http(call, "Authorization", "Bearer root");
    try (McpClient.Events events = http.events(poll)) {
      Await.until(
          "the poll is open",
          () -> subscribe(root, "root", "mad.broadcast").has("already_polling_since"));
      write("bob operator", "root operator");
      assertThat(events.next().isMissingNode()).as("cut off, without an answer").isTrue();
    }
    JsonNode answer =
        Await.value(
            "root has become an operator",
            () -> poll(root, "root"),
            polled -> code(polled).equals("not_subscribed"));
    assertThat(answer.at("/gap/reason").asText()).isEqualTo("evicted");
  }

  @Test
  void revokedTokenEndsWhatItOpened() throws Exception {
    FrameClient ann = client("ann");
    FrameClient mcp = FrameClient.withToken(group.gracePort(), "/mcp", "ann");
    clients.add(mcp);
    ObjectNode subscribe = call("grace_subscribe", "client_id", "ann", "topics", "mad.broadcast");
    subscribe(ann, "ann", "mad.direct.ann");
    ann.begin("grace_poll_messages", FrameClient.input("client_id", "ann", "wait_ms", 600_000));
    Await.until(
        "the poll is open",
        () -> {
          mcp.send(subscribe.toString());
          return mcp.next().at("/result/structuredContent").has("already_polling_since");
        });

    write("bob operator");
    Await.until(
        "the token counts no more",
        () -> {
          mcp.send(request("ping", Json.object()).toString());
          return mcp.next().at("/error/message").asText().startsWith("unauthenticated");
        });
    send(client("bob"), "mad.direct.ann", "kept");

    // Its poll, which was open, took nothing; the queue has the message still.
    write("bob operator", "ann operator");
    FrameClient again =
        Await.value("the token is back", () -> reconnected("ann"), connected -> connected != null);
    assertThat(texts(poll(again, "ann"))).containsExactly("kept");
  }

  private FrameClient reconnected(String token) {
    try {
      return client(token);
    } catch (java.util.concurrent.CompletionException e) {
      return null;
    }
  }
}
