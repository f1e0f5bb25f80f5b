package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import joshua.testing.FreePort;
import joshua.testing.RawListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests three people with {@code ssh} and nothing else (REQ-JS-02…06, +JS-07, Works 14): Ada, an
 * admin; Vic, a viewer; and Mallory, who has no access.
 */
final class AdminsIT {
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static final Path KEYS = STAGE.file("authorized_keys", "# who may log in\n");
  private static final Map<String, Integer> PORTS = new TreeMap<>();

  private static GroupUnderTest groupUnderTest;
  private static RawListener bus;
  private static SshUser ada;
  private static SshUser vic;
  private static SshUser mallory;

  @BeforeAll
  static void start() {
    ada = SshUser.named(STAGE, "ada").allowedBy(KEYS, "environment=\"JOSHUA_ROLE=admin\"");
    vic = SshUser.named(STAGE, "vic").allowedBy(KEYS, "");
    mallory = SshUser.named(STAGE, "mallory");
    List<String> settings = new ArrayList<>(List.of("JOSHUA_SSH_AUTHORIZED_KEYS=" + KEYS));
    for (String mad : List.of("grace", "fiedler", "rogers")) {
      PORTS.put(mad, FreePort.any());
      settings.add("JOSHUA_%s_SSH_PORT=%d".formatted(mad.toUpperCase(), PORTS.get(mad)));
    }
    groupUnderTest = STAGE.up(settings.toArray(String[]::new));
    bus = STAGE.add(RawListener.on(groupUnderTest.raw(), "mad.topic.system_events"));
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  private static ProgramRun ssh(SshUser who, String mad, String... words) {
    return who.ssh(PORTS.get(mad), words);
  }

  private static String out(SshUser who, String mad, String... words) {
    ProgramRun programRun = ssh(who, mad, words);
    assertThat(programRun.exitStatus()).as(programRun.toString()).isZero();
    return programRun.out();
  }

  private static JsonNode json(SshUser who, String mad, String... words) {
    String out = out(who, mad, words);
    assertThat(out.lines()).as(out).hasSize(1);
    return FrameSocketClient.parse(out);
  }

  // Ada, an admin.

  @Test
  void adaSeesHowEveryMadIs() {
    for (String mad : PORTS.keySet()) {
      assertThat(out(ada, mad, "mad-status")).startsWith(mad + " is ready\n");
      assertThat(json(ada, mad, "mad-status", "-o", "json").path("ready").asBoolean()).isTrue();
      assertThat(out(ada, mad, "help")).contains("mad-logs", "mad-state", "mad-config", "tool");
      assertThat(out(ada, mad, "mad-state")).contains("bus", "memory", "threads");
      assertThat(out(ada, mad, "tools")).contains(mad + "_");
      assertThat(ssh(ada, mad, "mad-logs", "-n", "5").exitStatus()).isZero();
    }
    assertThat(ssh(ada, "grace", "mad-status", "--help").out()).contains("Examples:");
    assertThat(ssh(ada, "grace", "mad-statsu").exitStatus()).isEqualTo(2);
    assertThat(ssh(ada, "grace", "mad-statsu").err()).contains("did you mean mad-status?");
  }

  @Test
  void adaLooksAfterGracesClients() {
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("ann", "mad.topic.tea");
    ann.send("bob", "mad.topic.tea", "{}");
    assertThat(out(ada, "grace", "clients")).contains("ann");
    assertThat(out(ada, "grace", "client", "ann")).contains("mad.topic.tea");
    assertThat(out(ada, "grace", "client", "ann", "why")).contains("has not polled");
    assertThat(out(ada, "grace", "drop", "ann")).contains("ann");
    assertThat(ann.pollNow("ann").toString()).contains("evicted");
    assertThat(ssh(ada, "grace", "client", "nobody").exitStatus()).isEqualTo(1);
  }

  @Test
  void adaHandsWorkToFiedlerAndFollowsIt() {
    assertThat(out(ada, "fiedler", "ask", "tasks")).isNotBlank();
    JsonNode tasks = json(ada, "fiedler", "tasks", "--kind", "question", "-o", "json");
    String id = tasks.path(0).path("task_id").asText();
    assertThat(tasks.path(0).path("requester_id").asText()).isEqualTo("ada");
    assertThat(out(ada, "fiedler", "task", id)).contains("COMPLETED");
    assertThat(out(ada, "fiedler", "task", id, "tail")).isNotBlank();
    ProgramRun tooLate = ssh(ada, "fiedler", "task", id, "cancel");
    assertThat(tooLate.exitStatus()).isEqualTo(1);
    assertThat(tooLate.err()).contains("COMPLETED");
  }

  @Test
  void adaAsksRogersWhatFlows() {
    groupUnderTest.client().send("bob", "mad.topic.tea", "{}");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> out(ada, "rogers", "connections").contains("fiedler"));
    assertThat(json(ada, "rogers", "connections", "-o", "json")).isNotEmpty();
    for (String verb : List.of("stats", "topics", "top --once", "dead-letters", "losses")) {
      assertThat(ssh(ada, "rogers", verb).exitStatus()).as(verb).isZero();
      assertThat(json(ada, "rogers", verb + " -o json")).as(verb).isNotNull();
    }
  }

  @Test
  void sshAndTheCommandLineGiveTheSameBytes() {
    out(ada, "fiedler", "ask", "help");
    String id =
        json(ada, "fiedler", "tasks", "--kind", "all", "-o", "json")
            .path(0)
            .path("task_id")
            .asText();

    String task = out(ada, "fiedler", "task", id, "-o", "json");
    assertThat(STAGE.run("at", "fiedler", "task", id, "-o", "json").out()).isEqualTo(task);
    assertThat(STAGE.run("task", "show", id, "-o", "json").out()).isEqualTo(task);
    assertThat(FrameSocketClient.parse(task).path("status").asText()).isEqualTo("COMPLETED");

    String config = out(ada, "grace", "mad-config", "-o", "json");
    assertThat(STAGE.run("at", "grace", "mad-config", "-o", "json").out()).isEqualTo(config);
  }

  @Test
  void whatAdaDoesIsRecordedAndToldOnTheBus() {
    out(ada, "grace", "mad-state", "queues");
    JsonNode last =
        out(ada, "grace", "mad-logs", "--audit", "-o", "json")
            .lines()
            .map(FrameSocketClient::parse)
            .filter(each -> each.path("detail").asText().equals("mad-state queues"))
            .findFirst()
            .orElseThrow();
    assertThat(last.path("who").asText()).isEqualTo("ada");
    assertThat(last.path("role").asText()).isEqualTo("admin");
    assertThat(last.path("fingerprint").asText()).startsWith("SHA256:");
    assertThat(last.path("result").asText()).isEqualTo("ok");
    await()
        .until(() ->
            bus.on("mad.topic.system_events").stream()
                .anyMatch(body ->
                    body.contains("\"event\":\"audit\"") && body.contains("mad-state queues")));
  }

  // Vic, a viewer.

  @Test
  void vicSeesAndDoesNotTouch() {
    assertThat(out(vic, "grace", "mad-status")).startsWith("grace is ready\n");
    assertThat(out(vic, "rogers", "connections")).contains("grace");
    assertThat(out(vic, "fiedler", "tool", "fiedler_list_tasks", "-o", "json")).contains("tasks");
    for (String[] words :
        List.of(
            new String[] {"grace", "drop", "ann"},
            new String[] {"fiedler", "ask", "tasks"},
            new String[] {
              "grace",
              "tool",
              "grace_send_message",
              "'{\"channel\":\"mad.topic.x\",\"payload\":{}}'"
            })) {
      ProgramRun refused =
          ssh(vic, words[0], List.of(words).subList(1, words.length).toArray(String[]::new));
      assertThat(refused.exitStatus()).as(refused.toString()).isEqualTo(1);
      assertThat(refused.err()).contains("needs the role operator", "yours is viewer");
    }
    assertThat(out(ada, "grace", "mad-logs", "--audit")).contains("refused", "vic");
  }

  // Mallory.

  /** Security: only a key that is in the file now can log in. */
  @Test
  void malloryIsNotLetIn() throws Exception {
    int grace = PORTS.get("grace");
    assertThat(mallory.ssh(grace, "mad-status").exitStatus()).isEqualTo(255);
    ProgramRun password =
        mallory.start(
            grace,
            List.of("-o", "PreferredAuthentications=password,keyboard-interactive"),
            "mad-status");
    assertThat(password.exitStatus()).isEqualTo(255);
    assertThat(password.err()).contains("Permission denied (publickey)");
    // A key that is authorised, and removed while the MAD runs and a session is open.
    SshUser eve = SshUser.named(STAGE, "eve").allowedBy(KEYS, "");
    await().until(() -> eve.ssh(grace, "mad-status").exitStatus() == 0);
    ProgramRun open = eve.start(grace, List.of(), "mad-logs", "-f");
    Files.writeString(KEYS, Files.readString(KEYS).replace(eve.line(""), ""));
    assertThat(open.exitStatus(Duration.ofSeconds(7))).isNotZero();
    assertThat(eve.ssh(grace, "mad-status").exitStatus()).isEqualTo(255);
    assertThat(out(ada, "grace", "mad-logs", "--audit")).contains("login_refused");
    assertThat(groupUnderTest.metric("joshua_ssh_refused_total")).isGreaterThanOrEqualTo(3);
  }

  /** Security: SSH is for commands and for nothing else. */
  @Test
  void vicsKeyOpensNothingButVerbs() {
    int grace = PORTS.get("grace");
    int away = FreePort.any();
    ProgramRun forward =
        vic.start(
            grace,
            List.of(
                "-o", "ExitOnForwardFailure=yes", "-R", "%d:127.0.0.1:%d".formatted(away, grace)),
            "mad-status");
    assertThat(forward.exitStatus()).isEqualTo(255);
    ProgramRun stdio = vic.start(grace, List.of("-W", "127.0.0.1:" + groupUnderTest.redisPort()));
    assertThat(stdio.exitStatus()).isNotZero();
    ProgramRun subsystem = vic.start(grace, List.of("-s"), "sftp");
    assertThat(subsystem.exitStatus()).isNotZero();
    ProgramRun shell = ssh(vic, "grace", "mad-status; id");
    assertThat(shell.exitStatus()).isEqualTo(2);
    assertThat(shell.out()).doesNotContain("uid=");
    ProgramRun substituted = ssh(vic, "grace", "mad-state $(id)");
    assertThat(substituted.err()).contains("$(id)").doesNotContain("uid=");
  }

  /** Security: control sequences in others' text don't reach the reader's terminal. */
  @Test
  void escapeSequencesInAMessageAreShownNotObeyed() {
    String escape = "\u001b]0;owned\u0007\u009b2J\u202e";
    RedisCli.run(groupUnderTest, "PUBLISH", "mad.topic.trap", "not an envelope " + escape);
    String shown =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> out(ada, "rogers", "dead-letters"), text -> text.contains("trap"));
    String json = out(ada, "rogers", "dead-letters", "-o", "json");
    for (String text : List.of(shown, json)) {
      assertThat(text).doesNotContain("\u001b", "\u0007", "\u009b", "\u202e");
    }
  }

  @Test
  void twoHundredLoginsAtOnceAreAnsweredOrRefusedAndHarmNobody() {
    int grace = PORTS.get("grace");
    List<ProgramRun> runs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      runs.add(vic.start(grace, List.of("-o", "ConnectTimeout=30"), "mad-config", "-o", "json"));
    }
    int served = 0;
    for (ProgramRun programRun : runs) {
      served += programRun.exitStatus(Duration.ofMinutes(2)) == 0 ? 1 : 0;
    }
    assertThat(served).isPositive();
    await().until(() -> vic.ssh(grace, "mad-status").exitStatus() == 0);
    assertThat(groupUnderTest.client().send("bob", "mad.topic.x", "{}").path("status").asText())
        .isEqualTo("success");
  }
}
