package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.FreePort;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the ACL of {@code ./joshua init} on a real Redis: each MAD does all its work as a user of
 * its own, and is refused what isn't its business (REQ-DP-02).
 */
final class RedisAclIT {
  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final List<String> USERS = List.of("grace", "fiedler", "rogers", "guest");

  /** What no user on the bus may do. */
  private static final List<String> FOR_NOBODY =
      List.of(
          "GET x",
          "SET x y",
          "KEYS *",
          "FLUSHALL",
          "CONFIG GET *",
          "CLIENT LIST",
          "CLIENT KILL TYPE pubsub",
          "ACL LIST",
          "ACL SETUSER default on nopass",
          "EVAL return 0",
          "MONITOR",
          "REPLICAOF 127.0.0.1 1",
          "SHUTDOWN NOSAVE",
          "PUBSUB CHANNELS",
          "SUBSCRIBE elsewhere",
          "SPUBLISH mad.topic.x y",
          "PUBLISH elsewhere x",
          "PUBLISH mad.other x");

  private static final Map<String, List<String>> FOR_OTHERS =
      Map.of(
          "grace",
          List.of("PUBLISH mad.stream.x y", "PUBLISH mad.system.other x"),
          "fiedler",
          List.of(
              "PUBLISH mad.topic.weather x",
              "PUBLISH mad.broadcast x",
              "PUBLISH mad.system.ledger x",
              "SUBSCRIBE mad.direct.ann",
              "SUBSCRIBE mad.topic.weather",
              "PSUBSCRIBE mad.*",
              "PSUBSCRIBE mad.direct.fiedler",
              "PUBSUB NUMPAT"),
          "rogers",
          List.of(
              "PUBLISH mad.topic.weather x",
              "PUBLISH mad.broadcast x",
              "PUBLISH mad.system.ledger x",
              "SUBSCRIBE mad.direct.ann",
              "PSUBSCRIBE *"),
          "guest",
          List.of(
              "PUBLISH mad.stream.x y",
              "PUBLISH mad.system.ledger x",
              "PUBLISH mad.system.other x",
              "PUBSUB NUMPAT"));

  private static final Map<String, List<String>> ITS_OWN =
      Map.of(
          "grace",
          List.of(
              "PUBLISH mad.direct.ann x",
              "PUBLISH mad.topic.weather x",
              "PUBLISH mad.broadcast x",
              "PUBLISH mad.system.ledger x",
              "PUBSUB NUMPAT",
              "PSUBSCRIBE mad.topic.*"),
          "fiedler",
          List.of(
              "PUBLISH mad.direct.ann x",
              "PUBLISH mad.stream.x y",
              "PUBLISH mad.topic.system_events x",
              "PUBLISH mad.system.heartbeat x",
              "SUBSCRIBE mad.direct.fiedler"),
          "rogers",
          List.of(
              "PUBLISH mad.direct.ann x",
              "PUBLISH mad.stream.x y",
              "PUBLISH mad.topic.system_events x",
              "PUBSUB NUMSUB mad.direct.ann",
              "PSUBSCRIBE mad.*"),
          "guest",
          List.of(
              "PUBLISH mad.direct.ann x",
              "PUBLISH mad.topic.weather x",
              "PUBLISH mad.broadcast x",
              "PUBLISH mad.system.presence x",
              "SUBSCRIBE mad.stream.x"));

  /** Commands that third-party clients send when they connect, and redis-cli --pipe at its end. */
  private static final List<String> FOR_EVERYBODY =
      List.of("PING", "ECHO hello", "INFO", "INFO server", "CLIENT SETNAME weather", "CLIENT ID");

  private final TestEnvironment environment = new TestEnvironment();
  private final InitializedInstallation installation = InitializedInstallation.on(environment);
  private final List<JsonNode> heard = new ArrayList<>();

  @AfterEach
  void close() {
    environment.close();
  }

  private String reply(String user, String command) {
    try (RawRedis redis = installation.as(user)) {
      return redis.call(command.split(" "));
    }
  }

  @Test
  void eachIsRefusedWhatIsNotItsBusiness() {
    for (String user : USERS) {
      Stream.concat(FOR_NOBODY.stream(), FOR_OTHERS.get(user).stream())
          .forEach(command ->
              assertThat(reply(user, command)).as(user + ": " + command).startsWith("-NOPERM"));
      Stream.concat(FOR_EVERYBODY.stream(), ITS_OWN.get(user).stream())
          .forEach(command ->
              assertThat(reply(user, command)).as(user + ": " + command).doesNotStartWith("-"));
    }
  }

  @Test
  void nobodyComesWithoutANameAndItsPassword() {
    try (RawRedis redis = RawRedis.anonymous(installation.port())) {
      assertThat(redis.call("PING")).startsWith("-NOAUTH");
      assertThat(redis.call("PUBLISH", "mad.topic.x", "y")).startsWith("-NOAUTH");
      for (String password : List.of("", "default", "joshua")) {
        assertThat(redis.call("AUTH", password)).startsWith("-WRONGPASS");
        assertThat(redis.call("AUTH", "grace", password)).startsWith("-WRONGPASS");
      }
    }
  }

  @Test
  void eachMadDoesItsWorkAsAUserOfItsOwn() {
    SingleMadProcess rogers =
        SingleMadProcess.start(environment, "rogers", installation.settings("rogers"));
    SingleMadProcess fiedler =
        SingleMadProcess.start(environment, "fiedler", installation.settings("fiedler"));
    SingleMadProcess grace =
        SingleMadProcess.start(environment, "grace", installation.settings("grace"));
    FrameSocketClient ann = grace.client(environment);
    ann.subscribe("ann", "mad.direct.ann", "mad.topic.*", "mad.stream.*");

    ann.send("ann", "mad.direct.fiedler", "{'prompt':'tasks'}");

    assertThat(awaited(ann, "mad.direct.ann", "status", "pending")).isNotNull();
    assertThat(awaited(ann, "mad.stream", "final", "true").path("status").asText())
        .isEqualTo("COMPLETED");
    heard.clear();
    ann.send("ann", "mad.direct.rogers", "{'prompt':'who is connected?'}");
    assertThat(awaited(ann, "mad.stream", "final", "true").path("status").asText())
        .isEqualTo("COMPLETED");
    awaitHealthy(rogers.client(environment));
    try (RawRedis guest = installation.as("guest")) {
      guest.publish(
          "mad.topic.weather",
          RawEnvelope.on("mad.topic.weather").from("bob").payload("{\"sky\":\"grey\"}").json());
    }
    assertThat(awaited(ann, "mad.topic.weather", "sky", "grey")).isNotNull();
    Stream.of(grace, fiedler, rogers).forEach(mad -> assertThat(mad.run().terminate()).isZero());
    assertThat(installation.refused()).isEmpty();
  }

  @Test
  void theDoctorLooksForWhatEachUserNeeds() throws Json.MalformedJsonException {
    Map<String, String> work =
        Map.of(
            "grace", "a MAD does",
            "fiedler", "Fiedler does",
            "rogers", "Rogers does",
            "guest", "a participant by hand does");
    for (String user : USERS) {
      List<String> words = new ArrayList<>(installation.settings(user));
      words.addAll(List.of("doctor", "-o", "json"));
      ProgramRun doctor = environment.run(words.toArray(String[]::new));
      assertThat(Json.parse(doctor.out()).path("checks").valueStream())
          .as(doctor.toString())
          .anySatisfy(check -> {
            assertThat(check.path("check").asText()).isEqualTo("redis rights");
            assertThat(check.path("found").asText())
                .isEqualTo("the user may do what " + work.get(user));
          });
    }
  }

  /** The payload of the first message there in which {@code member} is {@code value}. */
  private JsonNode awaited(FrameSocketClient client, String channel, String member, String value) {
    return await()
        .atMost(WITHIN)
        .until(
            () -> {
              client.pollNow("ann").path("messages").forEach(heard::add);
              return heard.stream()
                  .filter(message -> message.path("channel").asText().startsWith(channel))
                  .map(message -> message.path("payload"))
                  .filter(payload -> payload.path(member).asText().equals(value))
                  .findFirst();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static void awaitHealthy(FrameSocketClient rogers) {
    await()
        .atMost(WITHIN)
        .until(() -> {
          JsonNode rows = rogers.call("rogers_get_connections", "{}").path("connections");
          Set<String> healthy =
              rows.valueStream()
                  .filter(row -> row.path("status").asText().equals("HEALTHY"))
                  .map(row -> row.path("mad_id").asText())
                  .collect(Collectors.toSet());
          return healthy.containsAll(Set.of("grace", "fiedler", "rogers"));
        });
  }

  @Test
  void theTokenAndTheSshKeyLetTheAdminIn() throws IOException {
    int ssh = FreePort.any();
    GroupUnderTest groupUnderTest =
        environment.up(
            "JOSHUA_TOKENS_FILE=" + installation.secret("clients/tokens"),
            "JOSHUA_SSH_AUTHORIZED_KEYS=" + installation.secret("ssh/authorized_keys"),
            "JOSHUA_ROGERS_SSH_PORT=" + ssh);
    String token = Files.readString(installation.secret("admin.token")).strip();
    McpText list = McpText.modern(1, "tools/list", "");

    try (RawWeb anonymous = RawWeb.to(groupUnderTest.gracePort());
        RawWeb admin = RawWeb.to(groupUnderTest.gracePort())) {
      assertThat(anonymous.say(list.post()).head()).startsWith("HTTP/1.1 401");
      assertThat(admin.say(list.with("Authorization", "Bearer " + token).post()).head())
          .startsWith("HTTP/1.1 200");
    }
    ProgramRun config =
        new SshUser(environment, installation.secret("admin_ssh_key")).ssh(ssh, "mad-config");
    assertThat(config.exitStatus()).as(config.toString()).isZero();
  }
}
