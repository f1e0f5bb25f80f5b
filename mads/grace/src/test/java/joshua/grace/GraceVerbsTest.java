package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.grace.presence.ClientRegistry;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.ExitStatus;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Grace's commands, as a script and a person see them (REQ-GR-04, +JS-07). */
final class GraceVerbsTest {
  private static final GraceConfig THREE = new GraceConfig(3, 100, 1L << 30);

  private static RealRedis redis;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private static JsonNode json(ScriptedAdmin scriptedAdmin, String line) throws Exception {
    assertThat(scriptedAdmin.run(line + " -o json"))
        .as(scriptedAdmin.told())
        .isEqualTo(ExitStatus.OK);
    assertThat(scriptedAdmin.shown().chars().filter(c -> c == '\n')).hasSize(1);
    return Json.parse(scriptedAdmin.shown());
  }

  private static void send(RunningGrace grace, String channel, int messages) throws Exception {
    double before = grace.metric("joshua.grace.matched");
    for (int i = 0; i < messages; i++) {
      grace.send(channel, "{'n':%d}".formatted(i));
    }
    await().until(() -> grace.metric("joshua.grace.matched") == before + messages);
  }

  @Test
  void clientsAreListedTheMostRecentlyUsedFirstWithWhatWaits() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      grace.subscribe("ann", "mad.direct.ann", "mad.topic.a");
      grace.subscribe("bob", "mad.direct.bob");
      send(grace, "mad.topic.a", 5);
      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);

      JsonNode list = json(viewer, "clients");
      assertThat(list.path("queue_limit").asInt()).isEqualTo(3);
      assertThat(list.path("left_out").asInt()).isZero();
      assertThat(list.path("clients").findValuesAsText("client_id")).containsExactly("bob", "ann");
      JsonNode ann = list.path("clients").path(1);
      assertThat(ann.path("following").asInt()).isEqualTo(2);
      assertThat(ann.path("waiting").asInt()).isEqualTo(3);
      assertThat(ann.path("dropped").asInt()).isEqualTo(2);
      assertThat(ann.path("bytes").asLong())
          .isEqualTo((long) grace.gauge("joshua.grace.waiting.bytes"));
      assertThat(ann.path("last_poll").isNull()).isTrue();
      assertThat(ann.path("gap").path("missed").asInt()).isEqualTo(2);

      // Looking doesn't count as use: ann is still the least recently used one.
      viewer.run("client ann");
      assertThat(json(viewer, "clients --like a").path("clients")).hasSize(1);
      assertThat(json(viewer, "clients").path("clients").path(0).path("client_id").asText())
          .isEqualTo("bob");

      grace.time.advance(Duration.ofMinutes(3));
      viewer.run("clients");
      assertThat(viewer.shown()).containsPattern("ann +(yes|no) +2 +3 +\\d+ +3 min +2 overflow\n");
      ScriptedAdmin person = ScriptedAdmin.atTerminal(grace.verbs(), "eve", Role.VIEWER, 200, 50);
      person.run("clients");
      assertThat(person.shown()).contains("\033[31m2 overflow\033[0m", "\033[31m3\033[0m");
    }
  }

  @Test
  void theSameStateIsTheSameBytesHoweverLate() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      grace.subscribe("ann", "mad.direct.ann");
      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
      String first = json(viewer, "client ann").toString() + json(viewer, "client ann why");
      grace.time.advance(Duration.ofSeconds(90));
      assertThat(json(viewer, "client ann").toString() + json(viewer, "client ann why"))
          .isEqualTo(first);
    }
  }

  @Test
  @TriesLimit("grace.listed-clients")
  void aListIsBoundedAndSaysWhatItLeavesOut() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(3, 2_000, 1L << 30))) {
      var subscribed =
          IntStream.rangeClosed(0, ClientRegistry.LISTED)
              .mapToObj(i ->
                  grace.begin(
                      "grace_subscribe",
                      "{'client_id':'client-%d','topics':['mad.broadcast']}".formatted(i)))
              .toList();
      for (CompletableFuture<JsonNode> answer : subscribed) {
        answer.get(30, TimeUnit.SECONDS);
      }
      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
      JsonNode list = json(viewer, "clients");
      assertThat(list.path("clients")).hasSize(ClientRegistry.LISTED);
      assertThat(list.path("left_out").asInt()).isEqualTo(1);
      viewer.run("clients");
      assertThat(viewer.told()).isEqualTo("joshua: 1 more are left out; --like finds them\n");
      assertThat(viewer.candidates("client")).hasSizeBetween(100, 110);
    }
  }

  @Test
  void oneClientIsShownWhole() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      grace.subscribe("ann", "mad.direct.ann", "mad.topic.*");
      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
      JsonNode ann = json(viewer, "client ann");
      assertThat(ann.path("topics").toString()).isEqualTo("[\"mad.direct.ann\",\"mad.topic.*\"]");
      assertThat(ann.path("since").asText()).isEqualTo("2026-01-31T12:00:00.000Z");
      assertThat(viewer.run("client ann")).isEqualTo(ExitStatus.OK);
      assertThat(viewer.shown()).contains("topic       mad.topic.*\n").contains("(0 s ago)");
      assertThat(viewer.candidates("client")).contains("ann");
      assertThat(viewer.candidates("client", "ann")).contains("why");

      assertThat(viewer.run("client nobody")).isEqualTo(ExitStatus.REFUSED);
      assertThat(viewer.told())
          .startsWith("joshua: nobody has no queue here: it hasn't subscribed");
      assertThat(viewer.run("client 'a b'")).isEqualTo(ExitStatus.USAGE);
      assertThat(viewer.told()).startsWith("joshua: ID must be");
      assertThat(viewer.run("client ann what")).isEqualTo(ExitStatus.USAGE);
    }
  }

  @Test
  void whySaysWhatBecameOfTheMessages() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      JsonNode ann = grace.subscribe("ann", "mad.topic.a");
      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
      send(grace, "mad.topic.a", 5);
      viewer.run("client ann why");
      assertThat(viewer.shown())
          .contains("5 messages came for it: 0 it has, 2 were dropped, 3 wait.")
          .contains("It has not polled since it subscribed")
          .contains("Its queue is full, 3 messages")
          .contains("told that 2 messages since");

      grace.pollFrom("ann", ann);
      viewer.run("client ann why");
      assertThat(viewer.shown())
          .contains("It polled last at 2026-01-31T12:00:00.000Z.")
          .contains("It polls with a cursor");

      grace.poll("ann");
      viewer.run("client ann why");
      assertThat(viewer.shown())
          .contains("5 messages came for it: 3 it has, 2 were dropped, 0 wait.")
          .contains("no loss that it hasn't been told of");

      CompletableFuture<JsonNode> waiting =
          grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':20000}");
      await()
          .until(() -> {
            viewer.run("client ann why");
            return viewer.shown().contains("A poll of its waits for news now.");
          });
      send(grace, "mad.topic.a", 1);
      assertThat(waiting.get(10, TimeUnit.SECONDS).path("messages")).hasSize(1);
      viewer.run("client ann why");
      assertThat(viewer.shown()).doesNotContain("A poll of its waits");

      grace.call("grace_unsubscribe", "{'client_id':'ann','topics':['mad.topic.a']}");
      grace.time.advance(Duration.ofMinutes(5));
      await()
          .until(() -> {
            viewer.run("client ann why");
            return viewer.shown().contains("It counts as gone");
          });
      assertThat(viewer.shown()).contains("It follows no topic any more");
    }
  }

  @Test
  void dropEndsAQueueAndTheClientIsTold() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE);
        RawListener listener = RawListener.on(redis, "mad.system.*")) {
      grace.subscribe("ann", "mad.topic.a");
      send(grace, "mad.topic.a", 2);
      CompletableFuture<JsonNode> waiting =
          grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':0,'max_messages':1}");
      assertThat(waiting.get(10, TimeUnit.SECONDS).path("messages")).hasSize(1);

      ScriptedAdmin viewer = ScriptedAdmin.of(grace.verbs(), "eve", Role.VIEWER);
      assertThat(viewer.run("drop ann")).isEqualTo(ExitStatus.REFUSED);
      assertThat(viewer.told()).contains("needs the role operator");
      assertThat(json(viewer, "client ann").path("waiting").asInt()).isEqualTo(1);

      ScriptedAdmin operator = ScriptedAdmin.of(grace.verbs(), "oscar", Role.OPERATOR);
      JsonNode dropped = json(operator, "drop ann");
      assertThat(dropped.toString()).isEqualTo("{\"client_id\":\"ann\",\"messages_lost\":1}");
      await()
          .until(() ->
              listener.on("mad.system.presence").stream()
                  .anyMatch(body -> body.contains("dropped by oscar")));
      assertThat(grace.metric("joshua.grace.dropped", "reason", "evicted")).isEqualTo(1);
      assertThat(grace.state("queues").path("clients").asInt()).isZero();
      assertThat(grace.state("ledger").path("dropped").path("evicted").asInt()).isEqualTo(1);

      JsonNode poll = grace.poll("ann");
      assertThat(poll.path("code").asText()).isEqualTo("not_subscribed");
      assertThat(poll.path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(operator.run("drop ann")).isEqualTo(ExitStatus.REFUSED);
      assertThat(operator.told()).contains("it was taken away").contains("next call is told so");
      assertThat(operator.run("drop 'no id'")).isEqualTo(ExitStatus.USAGE);
      // Nothing arrives any more, and it may subscribe again.
      assertThat(grace.subscribe("ann", "mad.topic.a").path("status").asText())
          .isEqualTo("success");
      send(grace, "mad.topic.a", 1);
      assertThat(grace.poll("ann").path("messages")).hasSize(1);
    }
  }

  @Test
  void aPollThatWaitsIsAnsweredAtOnceByADrop() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      grace.subscribe("ann", "mad.topic.a");
      CompletableFuture<JsonNode> waiting =
          grace.begin("grace_poll_messages", "{'client_id':'ann','wait_ms':25000}");
      ScriptedAdmin operator = ScriptedAdmin.of(grace.verbs(), "oscar", Role.OPERATOR);
      await().until(() -> json(operator, "client ann").path("polling").asBoolean());
      assertThat(operator.run("drop ann")).isEqualTo(ExitStatus.OK);
      assertThat(operator.shown()).startsWith("ann has no queue any more; 0 messages");
      assertThat(waiting.get(5, TimeUnit.SECONDS).path("gap").path("reason").asText())
          .isEqualTo("evicted");
    }
  }

  @Test
  void herStateIsShownInParts() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, THREE)) {
      grace.subscribe("ann", "mad.topic.a");
      send(grace, "mad.topic.a", 2);
      assertThat(grace.state("queues").path("waiting").asInt()).isEqualTo(2);
      assertThat(grace.state("ledger").path("matched").asInt()).isEqualTo(2);
      assertThat(grace.state("limits").toString())
          .isEqualTo(
              "{\"queue_limit\":3,\"client_limit\":100,\"queue_bytes\":1073741824,\"topic_limit\":1000,\"topics_in_all\":60000,\"globs_in_all\":64}");
    }
  }
}
