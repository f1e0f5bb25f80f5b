package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import joshua.testing.FreePort;
import joshua.testing.ModelDialect;
import joshua.testing.RawEnvelope;
import joshua.testing.ScriptedModelServer;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The group as its users run it, in containers: {@code init}, {@code docker-compose up}, and then
 * whatever can happen to it (REQ-DP-01…04, +DP-05/06, Works 18). Each test leaves a running group.
 */
@Tag("containers")
final class ContainersIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** The exit status of {@code ssh} when its login is rejected. */
  private static final int SSH_FAILED = 255;

  private static final TestEnvironment STAGE = new TestEnvironment();
  private static ContainerGroup group;

  @BeforeAll
  static void start() {
    group = STAGE.add(new ContainerGroup(STAGE, "containers"));
    group.init();
    group.up();
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @BeforeEach
  void everythingIsReady() {
    group.awaitReady();
  }

  private static JsonNode ended(FrameSocketClient fiedler, String taskId) {
    return await()
        .atMost(SOON)
        .until(
            () -> fiedler.call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(taskId)),
            task -> task.path("status").asText().matches("COMPLETED|FAILED"));
  }

  private static String order(FrameSocketClient fiedler) {
    JsonNode pending =
        fiedler.call("fiedler_converse", "{'prompt':'tasks','requester_id':'admin'}");
    assertThat(pending.path("status").asText()).as(pending.toString()).isEqualTo("pending");
    return pending.path("task_id").asText();
  }

  @Test
  void composeRefusesToStartWithoutSecretsAndSaysWhatToDo() throws Exception {
    try (TestEnvironment environment = new TestEnvironment()) {
      ContainerGroup bare = new ContainerGroup(environment, "bare");
      String sentence = "There are no secrets yet. Run ./joshua init first";

      ProgramRun without = bare.tryCompose(Map.of(), "up", "-d");
      assertThat(without.exitStatus()).isNotZero();
      assertThat(without.err()).contains(sentence);

      bare.home().write(".env", bare.home().read(".env.example"));
      ProgramRun example = bare.tryCompose(Map.of(), "up", "-d");
      assertThat(example.exitStatus()).isNotZero();
      assertThat(example.err()).contains(sentence);
    }
  }

  @Test
  void containersAreConfined() {
    for (String service : ContainerGroup.ALL) {
      JsonNode container = group.inspect(service);
      JsonNode host = container.path("HostConfig");
      assertThat(container.at("/Config/User").asText())
          .isEqualTo("%s:%s", group.home().variable("MAD_UID"), group.home().variable("MAD_GID"))
          .doesNotStartWith("0:");
      assertThat(host.path("ReadonlyRootfs").asBoolean()).as(service).isTrue();
      assertThat(host.at("/CapDrop/0").asText()).as(service).isEqualTo("ALL");
      assertThat(host.at("/SecurityOpt/0").asText()).isEqualTo("no-new-privileges:true");
      assertThat(host.at("/RestartPolicy/Name").asText()).isEqualTo("unless-stopped");
      assertThat(host.at("/LogConfig/Config/max-file").asInt()).isEqualTo(5);
      assertThat(host.path("Memory").asLong()).as(service).isPositive();
      assertThat(host.path("NanoCpus").asLong()).as(service).isPositive();
      assertThat(host.path("PidsLimit").asLong()).as(service).isPositive();
      if (!service.equals("redis")) {
        assertThat(container.at("/Config/Entrypoint/0").asText()).isEqualTo("java");
      }
    }
  }

  @Test
  void onlyThreePortsAreOnTheHostAndOnLoopbackAlone() {
    assertThat(group.inspect("redis").at("/NetworkSettings/Ports"))
        .isEqualTo(FrameSocketClient.object("{'6379/tcp':null}"));
    for (String mad : ContainerGroup.MADS) {
      int number = ContainerGroup.MADS.indexOf(mad);
      assertThat(group.inspect(mad).at("/NetworkSettings/Ports"))
          .as("SSH isn't published, the rest is on loopback")
          .isEqualTo(
              FrameSocketClient.object(
                  "{'%d/tcp':null,'%d/tcp':[{'HostIp':'127.0.0.1','HostPort':'%d'}]}"
                      .formatted(ContainerGroup.SSH_PORT, 8000 + number, group.port(mad))));
    }
  }

  @Test
  void nobodyIsServedWithoutAToken() {
    for (String mad : ContainerGroup.MADS) {
      try (RawWeb web = RawWeb.to(group.port(mad))) {
        assertThat(web.say(McpText.modern(1, "tools/list", "").post()).head())
            .startsWith("HTTP/1.1 401");
      }
      try (RawWeb web = RawWeb.to(group.port(mad))) {
        assertThat(web.upgrade("/ws", "localhost")).startsWith("HTTP/1.1 401");
      }
    }
  }

  @Test
  void aConversationATaskAndAQuestion() {
    FrameSocketClient ann = group.client("grace", "ann");
    FrameSocketClient bob = group.client("grace", "bob");
    ann.subscribe("ann", "mad.topic.weather", "mad.direct.ann");
    JsonNode sent =
        await()
            .atMost(SOON)
            .until(
                () -> bob.send("bob", "mad.topic.weather", "{'sky':'grey'}"),
                answer -> answer.path("status").asText().equals("success"));
    JsonNode polled = ann.poll("ann").path("messages").path(0);
    assertThat(polled.path("message_id")).isEqualTo(sent.path("message_id"));
    assertThat(polled.at("/payload/sky").asText()).isEqualTo("grey");

    ann.send("ann", "mad.direct.fiedler", "{'prompt':'tasks'}");
    List<String> statuses = new ArrayList<>();
    await()
        .atMost(SOON)
        .until(() -> {
          ann.poll("ann")
              .path("messages")
              .forEach(message -> statuses.add(message.at("/payload/status").asText()));
          return statuses.contains("COMPLETED");
        });
    assertThat(statuses).containsExactly("pending", "COMPLETED");

    FrameSocketClient rogers = group.admin("rogers");
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(
                    rogers
                        .call(
                            "rogers_converse",
                            "{'prompt':'who','requester_id':'admin','wait':true}")
                        .at("/result/text")
                        .asText())
                .contains("grace", "fiedler", "rogers", "HEALTHY"));
  }

  /** As in docs/operating/containers.md: the key in a file, the model on the host. */
  @Test
  void aModelOnTheHostAnswersByTheKeyInAFile() throws IOException {
    ModelDialect openAi = ModelDialect.OPENAI;
    InetAddress bridge = ContainerGroup.bridge();
    String settings = group.home().read(".env") + "\n";
    try (ScriptedModelServer model =
        new ScriptedModelServer(bridge, 0)
            .otherwise(exchange -> {
              exchange.open(openAi.contentType);
              exchange.chunk(
                  openAi.begin() + openAi.token("Once upon a time") + openAi.end("stop"));
              exchange.end();
            })) {
      String url =
          model
              .url(openAi.base)
              .toString()
              .replace(bridge.getHostAddress(), "host.docker.internal");
      group.home().write("my-key", "sk-of-this-test\n");
      group.shell("install -m 600 my-key configs/secrets/model/key && ./joshua init");
      group
          .home()
          .append(
              ".env",
              """
              JOSHUA_MODEL_PROVIDER=openai
              JOSHUA_MODEL_NAME=gpt-test
              JOSHUA_MODEL_BASE_URL=%s
              JOSHUA_MODEL_API_KEY_FILE=/run/secrets/model/key
              """
                  .formatted(url));
      group.compose("up", "-d");
      group.awaitReady();

      FrameSocketClient fiedler = group.admin("fiedler");
      JsonNode pending =
          fiedler.call("fiedler_converse", "{'prompt':'Tell me a story.','requester_id':'admin'}");

      assertThat(
              ended(fiedler, pending.path("task_id").asText()).at("/result_payload/text").asText())
          .isEqualTo("Once upon a time");
      assertThat(model.seen()).isNotEmpty();
      assertThat(model.seen().element().head()).contains("Bearer sk-of-this-test");
    } finally {
      group.home().write(".env", settings);
      group.compose("up", "-d");
    }
  }

  @Test
  void redisCliTakesPartAsGuestAndDoesNothingElse() {
    FrameSocketClient admin = group.admin("grace");
    admin.subscribe("admin", "mad.topic.byhand");
    RawEnvelope envelope = RawEnvelope.on("mad.topic.byhand").from("guest");

    group.compose("run", "--rm", "-T", "redis-cli", "publish", "mad.topic.byhand", envelope.json());

    assertThat(admin.poll("admin").at("/messages/0/message_id").asText())
        .isEqualTo(envelope.text("message_id"));
    assertThat(group.compose("run", "--rm", "-T", "redis-cli", "config", "get", "*"))
        .contains("NOPERM");
  }

  @Test
  void sshLogsInFromTheNetworkOfTheGroup() {
    Path key = group.home().file("configs/secrets/admin_ssh_key");
    for (String mad : ContainerGroup.MADS) {
      ProgramRun status = group.ssh(key, mad, "mad-status");
      assertThat(status.exitStatus()).as(status.toString()).isZero();
      assertThat(status.out()).as(mad).contains(mad);
    }
  }

  /** Where a program on the host would look for it: REQ-DP-03 allows it only inside the network. */
  @Test
  void sshIsNotOnTheHost() {
    TestRequirements.program("ssh", "apt-get install openssh-client");
    SshUser admin = new SshUser(STAGE, group.home().file("configs/secrets/admin_ssh_key"));
    for (String mad : ContainerGroup.MADS) {
      for (int port : List.of(ContainerGroup.SSH_PORT, group.port(mad))) {
        ProgramRun status = admin.ssh(port, "mad-status");
        assertThat(status.exitStatus()).as(status.toString()).isEqualTo(SSH_FAILED);
      }
    }
  }

  @Test
  void whateverIsKilledComesBackAndNothingAcceptedIsLostSilently() throws Exception {
    try (SteadyTalk talk = new SteadyTalk(group)) {
      talk.awaitGoingOnSince(Instant.now());
      for (String service : ContainerGroup.ALL) {
        group.kill(service);
        group.awaitReady();
        talk.awaitGoingOnSince(Instant.now());
      }
      talk.end();

      System.out.printf(
          "containers killed: %d messages accepted, %d missed and told; %d tasks%n",
          talk.accepted(), talk.missedAndTold(), talk.tasks().size());
      assertThat(talk.silentlyLost()).isEmpty();
      assertThat(talk.unexpected()).isEmpty();
      assertThat(talk.told()).extracting(SteadyTalk.Told::reason).contains("restart");
      FrameSocketClient fiedler = group.admin("fiedler");
      for (String task : talk.tasks()) {
        assertThat(ended(fiedler, task).path("status").asText()).as(task).isEqualTo("COMPLETED");
      }
    }
  }

  @Test
  void aStopIsQuickAndLosesNothingThatWasAccepted() {
    FrameSocketClient fiedler = group.admin("fiedler");
    List<CompletableFuture<JsonNode>> orders = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      orders.add(
          fiedler.begin(
              "fiedler_converse",
              FrameSocketClient.object("{'prompt':'tasks','requester_id':'admin'}")));
    }
    FrameSocketClient.await(orders.getFirst());
    group.compose("stop");
    for (String service : ContainerGroup.ALL) {
      assertThat(group.inspect(service).at("/State/ExitCode").asInt())
          .as("%s isn't killed, as it would be after 10 s", service)
          .isIn(0, 143);
    }
    group.compose("start");
    group.awaitReady();

    FrameSocketClient again = group.admin("fiedler");
    List<String> accepted =
        orders.stream()
            .filter(order -> order.isDone() && !order.isCompletedExceptionally())
            .map(order -> order.join().path("task_id").asText())
            .filter(id -> !id.isEmpty())
            .toList();
    assertThat(accepted).isNotEmpty();
    for (String task : accepted) {
      assertThat(ended(again, task).path("status").asText()).as(task).isEqualTo("COMPLETED");
    }
  }

  @Test
  void downAndUpKeepTasksAndWhatRogersCountedAndStartInOrder() {
    String task = order(group.admin("fiedler"));
    ended(group.admin("fiedler"), task);
    await().atMost(SOON).until(() -> counted() > 0);
    int before = counted();

    group.compose("down");
    group.compose("up", "-d");
    group.awaitReady();
    // Redis isn't healthy before its first check, 2 s after its start.
    Instant checked = began("redis").plusSeconds(2);
    assertThat(ContainerGroup.MADS).allMatch(mad -> began(mad).isAfter(checked));

    assertThat(ended(group.admin("fiedler"), task).path("status").asText()).isEqualTo("COMPLETED");
    assertThat(counted()).isGreaterThanOrEqualTo(before);
  }

  private static Instant began(String service) {
    return Instant.parse(group.inspect(service).at("/State/StartedAt").asText());
  }

  /** How many of Fiedler's messages Rogers knows of, in all hours. */
  private static int counted() {
    return group
        .admin("rogers")
        .call("rogers_query", "{'name':'messages','arguments':{'participant':'fiedler'}}")
        .at("/rows/0/messages")
        .asInt();
  }

  @Test
  void severalGracesAndSeveralFiedlersServeSideBySide() {
    Map<String, String> two =
        Map.of(
            "MAD_GRACES",
            "2",
            "MAD_GRACE_PORT",
            FreePort.twoInARow(),
            "MAD_FIEDLERS",
            "2",
            "MAD_FIEDLER_PORT",
            FreePort.twoInARow());
    group.compose(two, "up", "-d");
    group.compose(two, "up", "-d");
    try {
      List<FrameSocketClient> graces = group.adminOfEach("grace", 2);
      graces.getFirst().subscribe("admin", "mad.topic.far", "mad.direct.admin");
      await()
          .atMost(SOON)
          .until(() ->
              graces
                      .getLast()
                      .send("admin", "mad.topic.far", "{'from':'the other one'}")
                      .path("receivers")
                      .asInt()
                  > 0);
      assertThat(graces.getFirst().poll("admin").at("/messages/0/payload/from").asText())
          .isEqualTo("the other one");

      List<FrameSocketClient> fiedlers = group.adminOfEach("fiedler", 2);
      for (FrameSocketClient fiedler : fiedlers) {
        String task = order(fiedler);
        for (FrameSocketClient any : fiedlers) {
          assertThat(ended(any, task).path("status").asText()).isEqualTo("COMPLETED");
        }
      }
    } finally {
      group.compose("up", "-d");
    }
  }
}
