package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.network.bridge.RendezvousHash;
import joshua.testing.FreePort;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two Graces on one Redis, each in a separate process, and stdio bridges that know both. */
class SeveralGracesIT {
  private static final Duration WITHIN = Duration.ofSeconds(40);

  @TempDir Path temp;
  private final RealRedis redis = RealRedis.start();
  private final List<Process> processes = new ArrayList<>();
  private final List<Integer> ports = List.of(FreePort.any(), FreePort.any());
  private final List<Process> graces = new ArrayList<>();

  @BeforeEach
  void startGraces() throws Exception {
    Files.writeString(temp.resolve("redis.password"), redis.password());
    for (int port : ports) {
      graces.add(grace(port));
    }
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    redis.close();
  }

  private Process grace(int port) throws IOException {
    Process grace =
        new ProcessBuilder(
                ProgramProcess.command(
                    "grace",
                    "--data-dir",
                    temp.resolve("data-" + port).toString(),
                    "--redis-url",
                    redis.url(),
                    "--redis-password-file",
                    temp.resolve("redis.password").toString(),
                    "--grace-port",
                    Integer.toString(port),
                    "--grace-ssh-port",
                    "0"))
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("grace-" + port + ".log").toFile())
            .start();
    processes.add(grace);
    return grace;
  }

  /** A bridge for any client, which knows the Graces in this order. */
  private BridgeProcess bridge(String name, List<Integer> order) throws Exception {
    String urls = String.join(",", order.stream().map(port -> "http://127.0.0.1:" + port).toList());
    BridgeProcess bridge =
        new BridgeProcess(
            temp.resolve("nowhere"), temp.resolve(name + ".log"), "--grace-urls", urls);
    processes.add(bridge.process);
    bridge.initialize();
    return bridge;
  }

  /** A bridge that knows one of them alone. */
  private BridgeProcess straightTo(int port) throws Exception {
    return bridge("straight-" + port, List.of(port));
  }

  private static String place(int port) {
    return "127.0.0.1:" + port;
  }

  /** A client whose preferred Grace is the one on {@code port}. */
  private String clientOf(int port) {
    List<String> places = ports.stream().map(SeveralGracesIT::place).toList();
    return IntStream.range(0, 1_000)
        .mapToObj(number -> "client-" + number)
        .filter(client ->
            RendezvousHash.ranked(client, places, Function.identity())
                .getFirst()
                .equals(place(port)))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectNode by(String client) {
    return Json.object().put("client_id", client);
  }

  private static JsonNode subscribed(BridgeProcess bridge, String client) {
    ObjectNode input = by(client);
    input.putArray("topics").add("mad.broadcast").add("mad.topic.x");
    return await()
        .atMost(WITHIN)
        .until(
            () -> bridge.call("grace_subscribe", input),
            answer -> answer.path("status").asText().equals("success"));
  }

  private static JsonNode send(BridgeProcess bridge, String client, String channel, String text)
      throws Exception {
    ObjectNode message = by(client).put("channel", channel);
    message.putObject("payload").put("text", text);
    return bridge.call("grace_send_message", message);
  }

  private static String heard(BridgeProcess bridge, String client) throws Exception {
    return bridge
        .call("grace_poll_messages", by(client).put("wait_ms", 20_000))
        .at("/messages/0/payload/text")
        .asText();
  }

  @Test
  void eachClientIsAtHomeWhereTheHashSaysAndAllHearABroadcast() throws Exception {
    String ann = clientOf(ports.getFirst());
    String bob = clientOf(ports.getLast());
    BridgeProcess first = bridge("first", ports);
    BridgeProcess second = bridge("second", ports.reversed());

    JsonNode atFirst = subscribed(first, ann);
    JsonNode atSecond = subscribed(second, bob);

    assertThat(atFirst.path("epoch")).isNotEqualTo(atSecond.path("epoch"));
    JsonNode straight = subscribed(straightTo(ports.getFirst()), "somebody");
    assertThat(atFirst.path("epoch")).isEqualTo(straight.path("epoch"));
    // Any Grace serves any sender; the receivers are both Graces' queues.
    assertThat(send(first, ann, "mad.broadcast", "to all").path("status").asText())
        .isEqualTo("success");
    assertThat(heard(first, ann)).isEqualTo("to all");
    assertThat(heard(second, bob)).isEqualTo("to all");
    // Either bridge finds either queue.
    assertThat(send(first, ann, "mad.topic.x", "for bob, elsewhere").path("status").asText())
        .isEqualTo("success");
    assertThat(heard(first, bob)).isEqualTo("for bob, elsewhere");
    assertThat(heard(second, ann)).isEqualTo("for bob, elsewhere");
    assertThat(first.notJson).isEmpty();
  }

  @Test
  void aQueueIsWatchedAtItsHome() throws Exception {
    for (int port : ports) {
      String client = clientOf(port);
      BridgeProcess bridge = bridge("watching-" + port, ports);
      subscribed(bridge, client);
      bridge.send(
          "resources/subscribe",
          Json.object().put("uri", "grace://clients/%s/queue".formatted(client)));
      assertThat(bridge.response().has("result")).isTrue();
      long before = updates(bridge);

      send(bridge, client, "mad.topic.x", "news");

      await().atMost(WITHIN).until(() -> updates(bridge) > before);
    }
  }

  private static long updates(BridgeProcess bridge) {
    return bridge.notifications.stream()
        .filter(told -> told.path("method").asText().equals("notifications/resources/updated"))
        .count();
  }

  @Test
  void whoPollsAnotherGraceIsToldAndNeverThatNothingWaits() throws Exception {
    String ann = clientOf(ports.getFirst());
    JsonNode home = subscribed(bridge("bridge", ports), ann);
    BridgeProcess elsewhere = straightTo(ports.getLast());
    subscribed(elsewhere, "somebody");

    ObjectNode poll = by(ann).put("cursor", home.path("cursor").asText());
    JsonNode refused = elsewhere.call("grace_poll_messages", poll);

    assertThat(refused.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(refused.at("/gap/reason").asText()).isEqualTo("restart");
    assertThat(refused.path("message").asText()).contains("another Grace");
    // The same for a client that has a queue there as well: the cursor's epoch is another's.
    subscribed(elsewhere, ann);
    assertThat(elsewhere.call("grace_poll_messages", poll).at("/gap/reason").asText())
        .isEqualTo("restart");
  }

  @Test
  void whenAHomeIsAwayItsClientsAreToldAndSendByTheOther() throws Exception {
    String ann = clientOf(ports.getFirst());
    String bob = clientOf(ports.getLast());
    BridgeProcess bridge = bridge("bridge", ports);
    subscribed(bridge, bob);
    String cursor = subscribed(bridge, ann).path("cursor").asText();
    graces.getFirst().destroyForcibly().waitFor();

    JsonNode refused = polledUntilRefused(bridge, ann);

    assertThat(refused.path("home").asText()).isEqualTo(place(ports.getFirst()));
    assertThat(refused.path("message").asText())
        .contains("nothing listens on " + place(ports.getFirst()), "The queue of " + ann)
        .contains("correct JOSHUA_GRACE_URLS");
    assertThat(send(bridge, ann, "mad.topic.x", "from ann").path("status").asText())
        .isEqualTo("success");
    assertThat(heard(bridge, bob)).isEqualTo("from ann");

    processes.add(grace(ports.getFirst()));
    JsonNode back =
        await()
            .atMost(WITHIN)
            .until(
                () -> bridge.call("grace_poll_messages", by(ann).put("cursor", cursor)),
                answer -> !answer.path("code").asText().equals("bus_unavailable"));
    assertThat(back.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(back.at("/gap/reason").asText()).isEqualTo("restart");
    assertThat(back.has("home")).isFalse();
  }

  private static JsonNode polledUntilRefused(BridgeProcess bridge, String client) {
    return await()
        .atMost(WITHIN)
        .until(
            () -> bridge.call("grace_poll_messages", by(client)),
            answer -> answer.path("outcome").asText().equals("not_sent"));
  }
}
