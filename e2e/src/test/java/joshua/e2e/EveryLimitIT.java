package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.kernel.TimedWait;
import joshua.testing.ModelDialect;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that what the limits promise to hold is held, all of it at once, by one process with the
 * launcher's heap: clients, topics, globs, bytes of queues, sockets with a waiting poll each, older
 * MCP sessions, tasks, and names that Rogers counts. A quiet client is served at the same time.
 */
@Tag("alone")
final class EveryLimitIT {
  private static final int CLIENTS = 10_000;
  private static final int TOPICS_EACH = 6;
  private static final int WITH_GLOBS = 32;
  private static final int QUEUE = 100;
  private static final long QUEUE_BYTES = 395L << 20;
  private static final int SOCKETS = 4_200;
  private static final int SESSIONS = 10_000;
  private static final int TASKS = 10_000;
  private static final int RUNNING = 16;
  private static final int SENDERS = 10_000;

  /** Up to here, odd clients hold large messages; from here on they wait for news. */
  private static final int FIRST_WAITING = 1_001;

  private static final int TOGETHER = 200;
  private static final Duration MEASURED = Duration.ofSeconds(10);
  private static final Duration P99_MOST = Duration.ofMillis(50);
  private static final Duration BETWEEN_CALLS = Duration.ofMillis(20);

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void everyLimitFilledAtOnceIsBorneAndAQuietClientIsServed() throws Exception {
    GroupUnderTest groupUnderTest = environment.up(settings());
    GroupUnderTest undisturbed =
        environment.up("JOSHUA_DATA_DIR=" + environment.path().resolve("undisturbed"));
    WellBehavedCaller quiet = caller("quiet", groupUnderTest);
    WellBehavedCaller elsewhere = caller("elsewhere", undisturbed);

    List<FrameSocketClient> connections =
        Arrays.asList(groupUnderTest.client(), groupUnderTest.client(), groupUnderTest.client());
    subscribeAll(connections);
    fillQueues(connections);
    holdSessions(groupUnderTest);
    queueTasks(groupUnderTest.client("fiedler"));
    countSenders(groupUnderTest);
    List<RawWeb> waiting = holdPolls(groupUnderTest);
    quiet.timing();
    elsewhere.timing();
    TimedWait.system().pause(MEASURED);
    WellBehavedCaller.Timing full = quiet.timing();
    WellBehavedCaller.Timing alone = elsewhere.timing();

    System.out.printf("beside everything: %s; elsewhere: %s%n", full, alone);
    assertHeld(groupUnderTest, waiting.size());
    Duration most = alone.within(99).multipliedBy(3);
    assertThat(full.within(99)).isLessThan(most.compareTo(P99_MOST) > 0 ? most : P99_MOST);
    assertThat(quiet.troubles()).isEmpty();
    assertThat(groupUnderTest.run().alive()).isTrue();
    assertThat(groupUnderTest.run().err().lines().filter(LogLines::fatal)).isEmpty();
  }

  private String[] settings() throws Exception {
    ScriptedModelServer models =
        environment.add(
            new ScriptedModelServer().otherwise(ScriptedModelServer.Exchange::untilCut));
    return ModelServer.settings("gpt-test", models.url(ModelDialect.OPENAI.base).toString())
        .toArray(String[]::new);
  }

  private WellBehavedCaller caller(String name, GroupUnderTest groupUnderTest) {
    RawWeb web = environment.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    return environment.add(
        new WellBehavedCaller(name, WellBehavedCaller.frames(web), BETWEEN_CALLS));
  }

  private static String name(int client) {
    return "client-" + client;
  }

  private static String input(int client, String more) {
    return "{'client_id':'%s',%s}".formatted(name(client), more);
  }

  /** Calls, some of them at a time; each must come to one of these codes, "" for a success. */
  private static void callAll(
      List<FrameSocketClient> connections, String tool, List<String> inputs, String... codes) {
    for (int from = 0; from < inputs.size(); from += TOGETHER) {
      List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
      for (int n = from; n < Math.min(inputs.size(), from + TOGETHER); n++) {
        FrameSocketClient connection = connections.get(n % connections.size());
        answers.add(connection.begin(tool, FrameSocketClient.object(inputs.get(n))));
      }
      answers.forEach(answer -> {
        JsonNode said = FrameSocketClient.await(answer);
        assertThat(said.path("code").asText()).as("%s", said).isIn((Object[]) codes);
      });
    }
  }

  /**
   * All clients but the quiet one subscribe: the even ones to the broadcast, the first to globs.
   */
  private static void subscribeAll(List<FrameSocketClient> connections) {
    List<String> inputs = IntStream.range(0, CLIENTS - 1).mapToObj(EveryLimitIT::topics).toList();
    // The last few find less than their six topics left.
    callAll(connections, "grace_subscribe", inputs, "", "overloaded");
  }

  private static String topics(int client) {
    List<String> topics = new ArrayList<>(List.of("mad.direct." + name(client)));
    if (client % 2 == 0) {
      topics.add("mad.broadcast");
    }
    if (client < WITH_GLOBS) {
      topics.add("mad.topic.%s.*".formatted(name(client)));
      topics.add("mad.*.about-%s".formatted(name(client)));
    }
    for (int n = 0; topics.size() < TOPICS_EACH; n++) {
      topics.add("mad.topic.%s.subject-%d".formatted(name(client), n));
    }
    return input(
        client,
        topics.stream().map("'%s'"::formatted).collect(Collectors.joining(",", "'topics':[", "]")));
  }

  private static void fillQueues(List<FrameSocketClient> connections) {
    String large = "x".repeat(900_000);
    for (int n = 0; n * 900_000L < QUEUE_BYTES; n++) {
      connections
          .get(n % connections.size())
          .send(
              "herald",
              "mad.direct." + name((2 * n + 1) % (FIRST_WAITING - 1)),
              "{'x':'%s'}".formatted(large));
    }
    // Overfills every queue: the oldest messages are dropped, and the ledgers name their clients.
    for (int n = 0; n < QUEUE + 10; n++) {
      connections
          .getFirst()
          .send("herald", "mad.broadcast", "{'n':%d,'x':'%s'}".formatted(n, "x".repeat(500)));
    }
  }

  private static void holdSessions(GroupUnderTest groupUnderTest) {
    McpText initialize =
        McpText.legacy(
            1,
            "initialize",
            "'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'a','version':'1'}");
    try (HostileCaller caller = new HostileCaller(groupUnderTest.gracePort())) {
      for (int n = 0; n < SESSIONS; n++) {
        assertThat(caller.say(initialize)).isEqualTo("success");
      }
    }
  }

  /**
   * A model that never answers keeps some tasks running and all others waiting; one more is
   * refused.
   */
  private static void queueTasks(FrameSocketClient fiedler) {
    List<String> inputs =
        IntStream.rangeClosed(0, TASKS + RUNNING)
            .mapToObj(n ->
                "{'prompt':'write a long poem','requester_id':'%s'}".formatted(name(n % CLIENTS)))
            .toList();
    callAll(List.of(fiedler), "fiedler_converse", inputs.subList(0, TASKS), "");
    callAll(
        List.of(fiedler),
        "fiedler_converse",
        inputs.subList(TASKS, inputs.size()),
        "",
        "overloaded");
    assertThat(fiedler.call("fiedler_converse", inputs.getLast()).path("code").asText())
        .isEqualTo("overloaded");
  }

  private static void countSenders(GroupUnderTest groupUnderTest) {
    try (RawRedis redis = groupUnderTest.raw()) {
      for (int n = 0; n < SENDERS; n++) {
        String channel = "mad.topic.counted-" + n;
        redis.publish(channel, RawEnvelope.on(channel).from("sender-" + n).json());
      }
    }
  }

  /** A socket for each waiting client, from two addresses, since one may not have that many. */
  private List<RawWeb> holdPolls(GroupUnderTest groupUnderTest) {
    List<RawWeb> sockets = new ArrayList<>();
    for (int n = 0; n < SOCKETS; n++) {
      RawWeb socket =
          environment
              .add(RawWeb.from("127.0.0." + (1 + n % 2), groupUnderTest.gracePort()))
              .frames();
      sockets.add(socket);
    }
    for (int n = 0; n < SOCKETS; n++) {
      String poll = input(FIRST_WAITING + 2 * n, "'wait_ms':25000");
      sockets
          .get(n)
          .text(
              "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":%s}"
                  .formatted(poll.replace('\'', '"')));
    }
    return sockets;
  }

  private static void assertHeld(GroupUnderTest groupUnderTest, int sockets) {
    assertThat(groupUnderTest.metric("joshua_grace_clients")).isEqualTo(CLIENTS);
    assertThat(groupUnderTest.metric("joshua_grace_waiting_bytes"))
        .isGreaterThan(0.95 * QUEUE_BYTES);
    assertThat(groupUnderTest.metric("joshua_sockets_open")).isGreaterThanOrEqualTo(sockets);
    assertThat(groupUnderTest.metric("joshua_mcp_sessions")).isEqualTo(SESSIONS);
  }
}
