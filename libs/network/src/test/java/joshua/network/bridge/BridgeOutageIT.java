package joshua.network.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.testing.FaultProxy;
import joshua.testing.FreePort;
import joshua.testing.NetworkFault;
import org.junit.jupiter.api.Test;

/** The bridge while MADs are away, go, come, or have the wrong identity. */
class BridgeOutageIT extends OnStage {
  @Test
  void aMadThatIsDownHidesNoToolsAndIsAnsweredForInASentence() throws Exception {
    int nobody = FreePort.any();
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port(), "b", nobody));
    assertThat(client.tools()).contains("a_note", "b_note", "b_wait");
    JsonNode result = client.call("b_note", none());
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(code(result)).isEqualTo("bus_unavailable");
    assertThat(outcome(result)).isEqualTo("not_sent");
    assertThat(result.path("content").path(0).path("text").asText())
        .isEqualTo(
            "bus_unavailable: Joshua's b isn't there: nothing listens on 127.0.0.1:%d. Start it.\n{\"outcome\":\"not_sent\"}"
                .formatted(nobody));
    assertThat(result.has("structuredContent")).isFalse();
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
  }

  @Test
  void aMadThatComesIsUsedAtOnceAndListsAreSaidToHaveChanged() throws Exception {
    int port = FreePort.any();
    StdioClient client = clientOf(Map.of("a", port));
    client.send(
        "initialize",
        none().put("protocolVersion", "2025-11-25").set("capabilities", Json.object()));
    assertThat(client.response().path("result").path("capabilities").has("prompts")).isTrue();
    client.tell("notifications/initialized", none());
    assertThat(code(client.call("a_note", none()))).isEqualTo("bus_unavailable");
    mad("a", port);
    await().until(() -> client.heard("notifications/tools/list_changed") > 0);
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
    assertThat(client.tools()).contains("a_count");
    await().until(() -> client.heard("notifications/prompts/list_changed") > 0);
    await().until(() -> client.heard("notifications/resources/list_changed") > 0);
  }

  @Test
  void aCallInFlightWhenTheConnectionDiesIsAnsweredAndLaterOnesWork() throws Exception {
    TestMad mad = mad("a", 0);
    FaultProxy network = opened(FaultProxy.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    assertThat(mad.begun.await(10, TimeUnit.SECONDS)).isTrue();
    network.inject(new NetworkFault.Cut());
    JsonNode result = client.response().path("result");
    assertThat(code(result)).isEqualTo("bus_unavailable");
    assertThat(outcome(result)).isEqualTo("unknown");
    assertThat(code(client.call("a_note", none()))).isEqualTo("bus_unavailable");
    network.heal();
    untilItWorks(client, "a_note");
  }

  @Test
  void aMadThatStopsAndStartsAgainIsUsedAgain() throws Exception {
    TestMad first = new TestMad("a", 0);
    int port = first.port();
    StdioClient client = clientOf(Map.of("a", port));
    untilItWorks(client, "a_note");
    first.close();
    assertThat(outcome(client.call("a_note", none()))).isNotEmpty();
    mad("a", port);
    untilItWorks(client, "a_note");
  }

  @Test
  void aResourceOfAMadThatIsDownIsRefusedWithTheSentence() throws Exception {
    StdioClient client = clientOf(Map.of("a", FreePort.any()));
    client.send("resources/read", StdioClient.modern(none().put("uri", "a://things/7")));
    JsonNode error = client.response().path("error");
    assertThat(error.path("message").asText()).startsWith("Joshua's a isn't there");
    assertThat(error.at("/data/code").asText()).isEqualTo("bus_unavailable");
  }

  @Test
  void updatesArePushedAlsoAfterTheMadWasAway() throws Exception {
    TestMad mad = mad("a", 0);
    FaultProxy network = opened(FaultProxy.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    ObjectNode listen = none();
    listen.putObject("notifications").putArray("resourceSubscriptions").add("a://things/1");
    client.send("subscriptions/listen", StdioClient.modern(listen));
    await().until(() -> client.heard("notifications/subscriptions/acknowledged") == 1);
    assertThat(client.notifications.getFirst().at("/params/notifications").toString())
        .isEqualTo("{\"resourceSubscriptions\":[\"a://things/1\"]}");
    await().until(() -> mad.watchers.size() == 1);
    mad.watchers.forEach(Runnable::run);
    await().until(() -> client.heard("notifications/resources/updated") >= 1);

    network.inject(new NetworkFault.Cut());
    await().until(mad.watchers::isEmpty);
    long before = client.heard("notifications/resources/updated");
    network.heal();
    await().until(() -> client.heard("notifications/resources/updated") > before);
    await().until(() -> mad.watchers.size() == 1);
    long sofar = client.heard("notifications/resources/updated");
    mad.watchers.forEach(Runnable::run);
    await().until(() -> client.heard("notifications/resources/updated") > sofar);
  }

  @Test
  void aSilentMadIsGivenUpAndItsCallsAreAnswered() throws Exception {
    TestMad mad = mad("a", 0);
    FaultProxy network = opened(FaultProxy.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    network.inject(new NetworkFault.Stall());
    ahead.addAndGet(MadSocket.SILENCE.toNanos());
    await().atMost(Duration.ofSeconds(20)).until(client::hasResponse);
    assertThat(outcome(client.response().path("result"))).isEqualTo("unknown");
  }

  @Test
  void aTokenThatIsWantedIsAskedForInASentence() throws Exception {
    TestMad mad =
        opened(
            new TestMad(
                "a",
                0,
                (authorization, id) ->
                    "Bearer s3cret".equals(authorization)
                        ? Optional.of(new Caller(Optional.of("ann"), Role.ADMIN, id))
                        : Optional.empty()));
    StdioClient client = clientOf(Map.of("a", mad.port()));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .startsWith("unauthenticated: ")
        .contains("wants a bearer token; set JOSHUA_TOKEN_FILE");
    token.set(Optional.of("wrong"));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .startsWith("unauthenticated: ")
        .contains("doesn't know the token")
        .doesNotContain("wrong");
    token.set(Optional.of("s3cret"));
    untilItWorks(client, "a_note");
  }

  @Test
  void whoeverListensThereInsteadIsNamed() throws Exception {
    TestMad other = mad("other", 0);
    StdioClient client = clientOf(Map.of("a", other.port()));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .startsWith(
            "bus_unavailable: What listens on 127.0.0.1:%d isn't Joshua's a, but other."
                .formatted(other.port()));
  }
}
