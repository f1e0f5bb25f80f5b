package joshua.integration;

import static joshua.integration.GraceCalls.texts;
import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.notification;
import static joshua.integration.McpClient.request;
import static joshua.integration.McpClient.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import joshua.kernel.Json;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue as a resource of MCP that tells of what comes, and the prompt (+GR-06, +JN-07). */
class McpResourceTest extends GroupTest {
  private static final String UPDATED = "notifications/resources/updated";

  private final String uri = "grace://clients/%s/queue".formatted(bob);
  private McpClient client;

  @BeforeEach
  void subscribe() {
    client = new McpClient(group.gracePort());
    grace.subscribe(bob, toBob);
  }

  private JsonNode read() throws Exception {
    return tree(client.modern("resources/read", Json.object().put("uri", uri), uri)).path("result");
  }

  private static JsonNode state(JsonNode read) throws Exception {
    return Json.parse(read.at("/contents/0/text").asText());
  }

  @Test
  void readingTellsTheStateAndTakesNothing() throws Exception {
    sendToBob("first");
    sendToBob("second");
    Await.until("both wait", () -> state(read()).path("waiting").asInt() == 2);
    JsonNode read = read();
    assertThat(read.path("ttlMs").isNumber()).isTrue();
    assertThat(read.path("cacheScope").asText()).isEqualTo("private");
    JsonNode contents = read.path("contents").get(0);
    assertThat(contents.path("uri").asText()).isEqualTo(uri);
    JsonNode state = state(read);
    assertThat(state.path("client_id").asText()).isEqualTo(bob);
    assertThat(state.path("oldest").asText()).endsWith("Z");
    assertThat(state.path("topics")).hasSize(1);
    assertThat(state.path("gap").isNull()).isTrue();
    assertThat(texts(grace.poll(bob))).containsExactly("first", "second");
  }

  @Test
  void unknownResourceIsRefusedInEachErasWords() throws Exception {
    ObjectNode nobody = Json.object().put("uri", "grace://clients/nobody-here/queue");
    JsonNode modern = tree(client.modern("resources/read", nobody, nobody.path("uri").asText()));
    JsonNode legacy = tree(client.post(request("resources/read", nobody)));
    assertThat(modern.at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(legacy.at("/error/code").asInt()).isEqualTo(-32002);
    assertThat(client.modern("resources/read", nobody, "another").statusCode()).isEqualTo(400);
  }

  @Test
  void listenerIsToldThatSomethingWaits() throws Exception {
    try (McpClient.Events events = client.events(listening())) {
      JsonNode first = events.next();
      sendToBob("hello");
      JsonNode second = events.next();
      assertThat(first.path("method").asText())
          .isEqualTo("notifications/subscriptions/acknowledged");
      assertThat(first.at("/params/notifications/resourceSubscriptions/0").asText()).isEqualTo(uri);
      assertThat(second.path("method").asText()).isEqualTo(UPDATED);
      assertThat(second.at("/params/uri").asText()).isEqualTo(uri);
      for (JsonNode event : new JsonNode[] {first, second}) {
        assertThat(event.at("/params/_meta/io.modelcontextprotocol~1subscriptionId").asInt())
            .isEqualTo(1);
      }
    }
    assertThat(texts(grace.poll(bob))).containsExactly("hello");
  }

  private HttpRequest listening() {
    ObjectNode params = Json.object();
    params.putObject("notifications").putArray("resourceSubscriptions").add(uri).add("x://nothing");
    return client.modernRequest("subscriptions/listen", params);
  }

  @Test
  void olderClientIsToldOnTheStreamOfItsSession() throws Exception {
    String[] session = {"Mcp-Session-Id", "of-an-earlier-run-" + bob};
    ObjectNode watch = request("resources/subscribe", Json.object().put("uri", uri));
    assertThat(tree(client.post(watch, session)).has("result")).isTrue();
    HttpRequest stream = client.builder().headers(session).GET().build();
    try (McpClient.Events events = client.events(stream)) {
      sendToBob("hello");
      JsonNode event = events.next();
      assertThat(event.path("method").asText()).isEqualTo(UPDATED);
      assertThat(event.path("params")).isEqualTo(Json.object().put("uri", uri));
      client.send(client.builder().headers(session).DELETE().build());
      assertThat(events.next().isMissingNode()).isTrue();
    }
  }

  @Test
  void callThatIsCancelledEndsAndTakesNothing() throws Exception {
    String[] session = {"Mcp-Session-Id", "of-" + bob};
    ObjectNode poll = call("grace_poll_messages", "client_id", bob, "wait_ms", 60_000);
    try (McpClient.Events events = client.events(client.http(poll, session))) {
      ObjectNode which = Json.object().put("requestId", 1);
      HttpResponse<String> cancelled =
          client.post(notification("notifications/cancelled", which), session);
      assertThat(cancelled.statusCode()).isEqualTo(202);
      assertThat(events.next().isMissingNode()).isTrue();
    }
    sendToBob("kept");
    assertThat(texts(grace.poll(bob, "wait_ms", 60_000))).containsExactly("kept");
  }

  @Test
  void promptTeachesAModelToUseTheBus() throws Exception {
    ObjectNode params = Json.object().put("name", "use_the_bus");
    params.putObject("arguments").put("client_id", "ann").put("task", "Find bob.");
    JsonNode got = tree(client.modern("prompts/get", params, "use_the_bus")).path("result");
    assertThat(got.at("/messages/0/content/text").asText())
        .contains("mad.direct.ann")
        .endsWith("Your task: Find bob.\n");
    JsonNode listed = tree(client.modern("prompts/list", Json.object())).path("result");
    assertThat(listed.at("/prompts/0/arguments/0/required").asBoolean()).isTrue();
    params.putObject("arguments");
    JsonNode refused = tree(client.modern("prompts/get", params, "use_the_bus"));
    assertThat(refused.at("/error/message").asText()).contains("client_id");
  }
}
