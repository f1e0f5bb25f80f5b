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
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests how a group starts, what it leaves behind, and how it coexists with others. */
final class LifecycleIT {
  private static final Duration REDIS_GOES_WITHIN = Duration.ofSeconds(5);

  /** The group shared by the tests that don't end it. */
  private static final TestEnvironment SHARED = new TestEnvironment();

  private static GroupUnderTest shared;

  private final TestEnvironment environment = new TestEnvironment();

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
    environment.close();
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
    TestRequirements.program("redis-cli", "apt-get install redis-tools");
    String line =
        shared
            .run()
            .out()
            .lines()
            .filter(each -> each.contains("redis-cli -p"))
            .findFirst()
            .orElseThrow();

    InstalledProgram redisCli =
        environment.add(InstalledProgram.start(SHARED.path(), Path.of("/bin/sh"), "-c", line));
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
    // Its own process group, as a shell creates for each job; Ctrl-C goes to all of the group.
    Path perl = TestRequirements.program("perl", "apt-get install perl");
    List<String> inAGroup =
        List.of(
            perl.toString(), "-e", "$SIG{INT} = 'DEFAULT'; setpgrp(0, 0); exec @ARGV or die $!");
    GroupUnderTest groupUnderTest = environment.up(inAGroup);

    UnixSignals.send("INT", -groupUnderTest.run().pid());

    assertThat(groupUnderTest.run().exitStatus(Duration.ofSeconds(10))).isZero();
    assertNothingIsLeftButState();
  }

  @Test
  void sigtermEndsEverythingWithClientsConnectedAndLeavesOnlyState() throws Exception {
    GroupUnderTest groupUnderTest = environment.up();
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("ann", "mad.broadcast");
    ann.begin(
        "grace_poll_messages", FrameSocketClient.object("{'client_id':'ann','wait_ms':25000}"));

    groupUnderTest.run().signal("TERM");

    assertThat(ann.closed().code()).as("going away").isEqualTo(1001);
    assertThat(groupUnderTest.run().exitStatus(Duration.ofSeconds(10))).isZero();
    assertNothingIsLeftButState();
  }

  private void assertNothingIsLeftButState() throws IOException {
    assertThat(environment.processes()).isEmpty();
    try (Stream<Path> left = Files.walk(environment.data())) {
      assertThat(
              left.filter(Files::isRegularFile)
                  .map(file -> environment.data().relativize(file) + ""))
          .allMatch(file ->
              file.matches(
                  "redis\\.password|run\\.lock|log/joshua\\.log|redis/(programs\\.json|redis(\\.conf|-server-.*))"
                      + "|(fiedler|rogers)/((fiedler|rogers)_state\\.db(\\.lock)?|native/.*)"
                      + "|(grace|fiedler|rogers)/(admin\\.lock|audit\\.db|ssh_host_ed25519_key)"));
    }
    try (Stream<Path> left = Files.walk(environment.scratch())) {
      assertThat(left.filter(file -> !file.equals(environment.scratch()))).isEmpty();
    }
  }

  @Test
  void aSecondGroupRunsBesideTheFirst() {
    GroupUnderTest second = environment.up();
    FrameSocketClient ann = shared.client();
    ann.subscribe("ann", "mad.topic.x");
    FrameSocketClient bob = second.client();
    bob.subscribe("bob", "mad.topic.x");

    JsonNode sent = ann.send("cy", "mad.topic.x", "{}");

    assertThat(sent.path("queues").asInt()).isEqualTo(1);
    assertThat(ann.poll("ann").path("messages")).hasSize(1);
    assertThat(bob.pollNow("bob").path("messages")).isEmpty();
  }

  @Test
  void killedItTakesItsRedisAlongAndStartsAgainOnTheSameDirectory() {
    GroupUnderTest groupUnderTest = environment.up();
    ProcessHandle redis = groupUnderTest.redis();
    String password = groupUnderTest.password();

    groupUnderTest.run().kill();

    await().atMost(REDIS_GOES_WITHIN).until(() -> !redis.isAlive());
    await().atMost(REDIS_GOES_WITHIN).until(() -> environment.processes().isEmpty());
    GroupUnderTest again = environment.up();
    assertThat(again.runFile().path("epoch")).isNotEqualTo(groupUnderTest.runFile().path("epoch"));
    assertThat(again.password()).isEqualTo(password);
    assertThat(again.run().err()).contains("ended without stopping");
    assertThat(again.client().send("ann", "mad.topic.x", "{}").path("status").asText())
        .isEqualTo("success");
  }

  @Test
  void connectKnowsThatTheRunningGroupWantsTokens() {
    assertThat(environment.run("token", "create", "ann").exitStatus()).isZero();
    environment.start("up", "--tokens").awaitOut("Stop with Ctrl-C.");

    ProgramRun connect = environment.run("connect", "cursor");

    assertThat(connect.out()).contains("--token-file", "Tokens are in force.", "Bearer ");
  }

  @Test
  void theDefaultRedisPortGivesWayToTheNextFreeOne() {
    PortOccupier.on(environment, 6379);

    GroupUnderTest groupUnderTest = environment.up("JOSHUA_REDIS_PORT=");

    assertThat(groupUnderTest.redisPort()).isGreaterThan(6379);
    assertThat(groupUnderTest.run().out()).contains("(embedded; port 6379 was in use)");
  }

  @Test
  void graceRunsAloneOnTheRedisOfAGroup() {
    ProgramRun alone = SHARED.start("grace").awaitOut("on the bus at");
    FrameSocketClient ann = environment.add(FrameSocketClient.to(portOf(alone)));
    ann.subscribe("ann", "mad.topic.x");

    shared.client().send("bob", "mad.topic.x", "{'by':'the other Grace'}");

    assertThat(ann.poll("ann").path("messages").get(0).path("payload").path("by").asText())
        .isEqualTo("the other Grace");
    assertThat(alone.terminate()).isZero();
    assertThat(shared.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void graceRunsAloneOnARedisOfSomebodyElse() {
    ExternalRedis redis = ExternalRedis.on(environment);
    ProgramRun alone =
        environment
            .start(
                "JOSHUA_REDIS_URL=" + redis.url(),
                "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile(),
                "grace")
            .awaitOut("on the bus at");
    FrameSocketClient ann = environment.add(FrameSocketClient.to(portOf(alone)));
    ann.subscribe("ann", "mad.topic.*");

    ann.send("bob", "mad.topic.x", "{}");

    assertThat(ann.poll("ann").path("messages")).hasSize(1);
    assertThat(alone.terminate()).isZero();
    // Only what admin access leaves: the audit log, and the socket's directory.
    assertThat(environment.data())
        .isDirectoryNotContaining(path -> !path.getFileName().toString().equals("grace"));
  }

  @Test
  void whatIsAcceptedWhileItStopsIsOnTheBus() {
    ExternalRedis redis = ExternalRedis.on(environment);
    RawListener listener = environment.add(RawListener.on(redis.raw(), "mad.topic.last-words"));
    GroupUnderTest groupUnderTest =
        environment.up(
            "JOSHUA_REDIS_URL=" + redis.url(),
            "JOSHUA_REDIS_PASSWORD_FILE=" + redis.passwordFile());
    List<FloodingClient> clients =
        Stream.generate(() ->
                environment.add(
                    new FloodingClient(groupUnderTest.client(), "mad.topic.last-words")))
            .limit(3)
            .toList();
    await().until(() -> clients.stream().allMatch(client -> client.accepted().size() > 500));
    int before = clients.stream().mapToInt(client -> client.accepted().size()).sum();

    assertThat(groupUnderTest.run().terminate()).isZero();

    clients.forEach(FloodingClient::awaitEnd);
    List<String> accepted = clients.stream().flatMap(client -> client.accepted().stream()).toList();
    try (RawRedis last = redis.raw()) {
      last.publish("mad.topic.last-words", "over");
    }
    await().until(() -> listener.on("mad.topic.last-words").contains("over"));
    Set<String> heard =
        listener.on("mad.topic.last-words").stream()
            .filter(body -> !body.equals("over"))
            .map(body -> FrameSocketClient.object(body).path("message_id").asText())
            .collect(Collectors.toSet());
    System.out.printf(
        "SIGTERM: %d sends accepted before it, %d while stopping%n",
        before, accepted.size() - before);
    assertThat(heard).containsAll(accepted);
  }

  private static int portOf(ProgramRun grace) {
    return Integer.parseInt(grace.out().replaceFirst("(?s).* port (\\d+),.*", "$1"));
  }
}
