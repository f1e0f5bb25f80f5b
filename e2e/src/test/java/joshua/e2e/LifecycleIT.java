package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.testing.InstalledProgram;
import joshua.testing.Needs;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.Signals;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How a group starts, what it leaves behind, and how it lives beside others. */
final class LifecycleIT {
  private static final Duration REDIS_GOES_WITHIN = Duration.ofSeconds(5);

  /** What tests share that don't end it. */
  private static final Stage SHARED = new Stage();

  private static Group shared;

  private final Stage stage = new Stage();

  @BeforeAll
  static void start() {
    shared = SHARED.up();
  }

  @AfterAll
  static void stop() {
    SHARED.close();
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void theWelcomeSaysWhoListensWhereHowToJoinAndHowToStop() {
    assertThat(shared.run().out())
        .containsPattern("Joshua \\S+ is up after \\d+\\.\\d s\\.")
        .contains(
            "grace    http://127.0.0.1:%1$d/mcp   ws://127.0.0.1:%1$d/ws"
                .formatted(shared.gracePort()))
        .contains("./joshua connect CLIENT")
        .contains("redis    127.0.0.1:%d (embedded)".formatted(shared.redisPort()))
        .contains("no SSH: There is no ", "joshua keys add makes it")
        .contains("./joshua tail")
        .contains("./joshua send mad.topic.hello '{\"text\":\"hello\"}'")
        .contains("Stop with Ctrl-C.")
        .doesNotContain(shared.password());
    assertThat(shared.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(shared.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(shared.run().err()).as("the log of a start without a fault").isEmpty();
  }

  @Test
  void theWelcomesLineForRedisCliWorksAsItStands() {
    Needs.program("redis-cli", "apt-get install redis-tools");
    String line =
        shared
            .run()
            .out()
            .lines()
            .filter(each -> each.contains("redis-cli -p"))
            .findFirst()
            .orElseThrow();

    InstalledProgram redisCli =
        stage.add(InstalledProgram.start(SHARED.path(), Path.of("/bin/sh"), "-c", line));
    redisCli.awaitSaying("psubscribe");
    assertThat(SHARED.run("send", "mad.topic.hello", "{\"text\":\"hello\"}").exitStatus()).isZero();
    redisCli.awaitSaying("mad.topic.hello");
  }

  @Test
  void runJsonTellsItsOwnerWhatRunsWhere() throws Exception {
    Path file = shared.data().resolve("run.json");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    JsonNode run = shared.runFile();
    assertThat(run.path("pids").path("joshua").asLong()).isEqualTo(shared.run().pid());
    assertThat(run.path("pids").path("redis").asLong()).isEqualTo(shared.redis().pid());
    assertThat(run.path("ports").path("grace").asInt()).isPositive();
    assertThat(run.path("ports").path("redis").asInt()).isPositive();
    assertThat(UUID.fromString(run.path("epoch").asText())).isNotNull();
    assertThat(Instant.parse(run.path("started_at").asText())).isBefore(Instant.now());
  }

  @Test
  void ctrlCEndsEverythingAndLeavesOnlyState() throws Exception {
    // Its own process group, as a shell gives each job; Ctrl-C goes to all of the group.
    Path perl = Needs.program("perl", "apt-get install perl");
    List<String> inAGroup =
        List.of(
            perl.toString(), "-e", "$SIG{INT} = 'DEFAULT'; setpgrp(0, 0); exec @ARGV or die $!");
    Group group = stage.up(inAGroup);

    Signals.send("INT", -group.run().pid());

    assertThat(group.run().exitStatus(Duration.ofSeconds(10))).isZero();
    assertNothingIsLeftButState();
  }

  @Test
  void sigtermEndsEverythingWithClientsConnectedAndLeavesOnlyState() throws Exception {
    Group group = stage.up();
    WsClient ann = group.client();
    ann.subscribe("ann", "mad.broadcast");
    ann.begin("grace_poll_messages", WsClient.object("{'client_id':'ann','wait_ms':25000}"));

    group.run().signal("TERM");

    assertThat(ann.closed().code()).as("going away").isEqualTo(1001);
    assertThat(group.run().exitStatus(Duration.ofSeconds(10))).isZero();
    assertNothingIsLeftButState();
  }

  private void assertNothingIsLeftButState() throws IOException {
    assertThat(stage.processes()).isEmpty();
    try (Stream<Path> left = Files.walk(stage.data())) {
      assertThat(left.filter(Files::isRegularFile).map(file -> stage.data().relativize(file) + ""))
          .allMatch(file ->
              file.matches(
                  "redis\\.password|run\\.lock|log/joshua\\.log|redis/(programs\\.json|redis(\\.conf|-server-.*))"
                      + "|(fiedler|rogers)/((fiedler|rogers)_state\\.db(\\.lock)?|native/.*)"
                      + "|(grace|fiedler|rogers)/(admin\\.lock|audit\\.db|ssh_host_ed25519_key)"));
    }
    try (Stream<Path> left = Files.walk(stage.scratch())) {
      assertThat(left.filter(file -> !file.equals(stage.scratch()))).isEmpty();
    }
  }

  @Test
  void aSecondGroupRunsBesideTheFirst() {
    Group second = stage.up();
    WsClient ann = shared.client();
    ann.subscribe("ann", "mad.topic.x");
    WsClient bob = second.client();
    bob.subscribe("bob", "mad.topic.x");

    JsonNode sent = ann.send("cy", "mad.topic.x", "{}");

    assertThat(sent.path("queues").asInt()).isEqualTo(1);
    assertThat(ann.poll("ann").path("messages")).hasSize(1);
    assertThat(bob.pollNow("bob").path("messages")).isEmpty();
  }

  @Test
  void killedItTakesItsRedisAlongAndStartsAgainOnTheSameDirectory() {
    Group group = stage.up();
    ProcessHandle redis = group.redis();
    String password = group.password();

    group.run().kill();

    await().atMost(REDIS_GOES_WITHIN).until(() -> !redis.isAlive());
    await().atMost(REDIS_GOES_WITHIN).until(() -> stage.processes().isEmpty());
    Group again = stage.up();
    assertThat(again.runFile().path("epoch")).isNotEqualTo(group.runFile().path("epoch"));
    assertThat(again.password()).isEqualTo(password);
    assertThat(again.run().err()).contains("ended without stopping");
    assertThat(again.client().send("ann", "mad.topic.x", "{}").path("status").asText())
        .isEqualTo("success");
  }

  @Test
  void connectKnowsThatTheRunningGroupWantsTokens() {
    assertThat(stage.run("token", "create", "ann").exitStatus()).isZero();
    stage.start("up", "--tokens").awaitOut("Stop with Ctrl-C.");

    Run connect = stage.run("connect", "cursor");

    assertThat(connect.out()).contains("--token-file", "Tokens are in force.", "Bearer ");
  }

  @Test
  void theDefaultRedisPortGivesWayToTheNextFreeOne() {
    Squatter.on(stage, 6379);

    Group group = stage.up("JOSHUA_REDIS_PORT=");

    assertThat(group.redisPort()).isGreaterThan(6379);
    assertThat(group.run().out()).contains("(embedded; port 6379 was in use)");
  }

  @Test
  void graceRunsAloneOnTheRedisOfAGroup() {
    Run alone = SHARED.start("grace").awaitOut("on the bus at");
    WsClient ann = stage.add(WsClient.to(portOf(alone)));
    ann.subscribe("ann", "mad.topic.x");

    shared.client().send("bob", "mad.topic.x", "{'by':'the other Grace'}");

    assertThat(ann.poll("ann").path("messages").get(0).path("payload").path("by").asText())
        .isEqualTo("the other Grace");
    assertThat(alone.terminate()).isZero();
    assertThat(shared.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void graceRunsAloneOnARedisOfSomebodyElse() {
    ExternalRedis redis = ExternalRedis.on(stage);
    Run alone =
        stage
            .start(
                "JOSHUA_REDIS_URL=" + redis.url(),
                "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile(),
                "grace")
            .awaitOut("on the bus at");
    WsClient ann = stage.add(WsClient.to(portOf(alone)));
    ann.subscribe("ann", "mad.topic.*");

    ann.send("bob", "mad.topic.x", "{}");

    assertThat(ann.poll("ann").path("messages")).hasSize(1);
    assertThat(alone.terminate()).isZero();
    // Nothing but what admins came by: their audit, and the place of the socket.
    assertThat(stage.data())
        .isDirectoryNotContaining(path -> !path.getFileName().toString().equals("grace"));
  }

  @Test
  void whatIsAcceptedWhileItStopsIsOnTheBus() {
    ExternalRedis redis = ExternalRedis.on(stage);
    RawListener listener = stage.add(RawListener.on(redis.raw(), "mad.topic.last-words"));
    Group group =
        stage.up(
            "JOSHUA_REDIS_URL=" + redis.url(),
            "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile());
    List<Chatterbox> clients =
        Stream.generate(() -> stage.add(new Chatterbox(group.client(), "mad.topic.last-words")))
            .limit(3)
            .toList();
    await().until(() -> clients.stream().allMatch(client -> client.accepted().size() > 500));
    int before = clients.stream().mapToInt(client -> client.accepted().size()).sum();

    assertThat(group.run().terminate()).isZero();

    clients.forEach(Chatterbox::awaitEnd);
    List<String> accepted = clients.stream().flatMap(client -> client.accepted().stream()).toList();
    try (RawRedis last = redis.raw()) {
      last.publish("mad.topic.last-words", "over");
    }
    await().until(() -> listener.on("mad.topic.last-words").contains("over"));
    Set<String> heard =
        listener.on("mad.topic.last-words").stream()
            .filter(body -> !body.equals("over"))
            .map(body -> WsClient.object(body).path("message_id").asText())
            .collect(Collectors.toSet());
    System.out.printf(
        "SIGTERM: %d sends accepted before it, %d while stopping%n",
        before, accepted.size() - before);
    assertThat(heard).containsAll(accepted);
  }

  private static int portOf(Run grace) {
    return Integer.parseInt(grace.out().replaceFirst("(?s).* port (\\d+),.*", "$1"));
  }
}
