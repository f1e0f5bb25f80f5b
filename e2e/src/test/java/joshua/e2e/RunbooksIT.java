package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs docs/operating/container-runbooks.md, line by line on a running group, and checks what it
 * promises.
 */
@Tag("containers")
final class RunbooksIT {
  private static final Path PAGE =
      BuiltProgram.HOME.resolve("docs/operating/container-runbooks.md");
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String FENCE = "```";
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static ContainerGroup group;

  @BeforeAll
  static void start() {
    group = STAGE.add(new ContainerGroup(STAGE, "runbooks"));
    group.init();
    group.up();
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  /** Runs every line of the block under a heading, and waits until all parts are ready. */
  private static void follow(String heading) throws IOException {
    List<String> lines =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.equals("## " + heading))
            .dropWhile(line -> !line.equals(FENCE))
            .skip(1)
            .takeWhile(line -> !line.equals(FENCE))
            .toList();
    assertThat(lines).as(heading).isNotEmpty();
    lines.forEach(group::shell);
    group.awaitReady();
  }

  private static String answered() {
    JsonNode answer =
        await()
            .atMost(SOON)
            .until(
                () ->
                    group
                        .admin("fiedler")
                        .call(
                            "fiedler_converse",
                            "{'prompt':'tasks','requester_id':'admin','wait':true}"),
                said -> said.path("status").asText().equals("completed"));
    return answer.path("task_id").asText();
  }

  private static String statusOf(String task) {
    JsonNode answer =
        group.admin("fiedler").call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(task));
    return answer.path("status").asText() + answer.path("code").asText();
  }

  private static String imageOf(String mad) {
    return group.inspect(mad).path("Image").asText();
  }

  @Test
  void anUpgradeKeepsTheTasks() throws IOException {
    String task = answered();
    String before = imageOf("fiedler");
    group.home().append("LICENSE", "\nAnother build.\n");

    follow("Upgrade");

    assertThat(imageOf("fiedler")).isNotEqualTo(before);
    assertThat(statusOf(task)).isEqualTo("COMPLETED");
  }

  @Test
  void aMadThatIsOutOfMemoryComesBackByItself() {
    String task = answered();

    group.fillHeap("fiedler");
    group.awaitReady();

    ProgramRun logs = group.run(Map.of(), List.of("docker", "logs", group.container("fiedler")));
    assertThat(logs.err()).contains("Terminating due to java.lang.OutOfMemoryError");
    assertThat(group.inspect("fiedler").path("State").path("OOMKilled").asBoolean()).isFalse();
    assertThat(statusOf(task)).isEqualTo("COMPLETED");
  }

  @Test
  void aRestoreBringsBackWhatTheBackupHeldAndNothingElse() throws IOException {
    String kept = answered();
    follow("Backup");
    assertThat(group.home().file("backups/secrets.tar")).isNotEmptyFile();
    String later = answered();

    follow("Restore");

    assertThat(statusOf(kept)).isEqualTo("COMPLETED");
    assertThat(statusOf(later)).endsWith("unknown_task");
  }

  @Test
  void anOldRedisPasswordIsRefusedAndTheNewOneWorks() throws IOException {
    String old = group.home().read("configs/secrets/redis-fiedler.password");
    assertThat(pingAs("fiedler", old)).contains("PONG");

    follow("A new Redis password");

    assertThat(pingAs("fiedler", old)).contains("WRONGPASS").doesNotContain("PONG");
    assertThat(pingAs("fiedler", group.home().read("configs/secrets/redis-fiedler.password")))
        .contains("PONG");
    assertThat(pingAs("guest", group.home().read("configs/secrets/redis-guest.password")))
        .contains("PONG");
    answered();
  }

  private static String pingAs(String user, String password) {
    ProgramRun programRun =
        group.tryCompose(
            Map.of(),
            "exec",
            "-T",
            "-e",
            "REDISCLI_AUTH=" + password,
            "redis",
            "redis-cli",
            "--user",
            user,
            "ping");
    return programRun.out() + programRun.err();
  }

  @Test
  void anOldTokenIsRefusedAndTheNewOneWorks() throws IOException {
    String old = group.adminToken();
    assertThat(toolsBy(old)).startsWith("HTTP/1.1 200");

    follow("New tokens");

    await().atMost(SOON).until(() -> toolsBy(old).startsWith("HTTP/1.1 401"));
    assertThat(toolsBy(group.adminToken())).startsWith("HTTP/1.1 200");
  }

  private static String toolsBy(String token) {
    try (RawWeb web = RawWeb.to(group.port("grace"))) {
      McpText list = McpText.modern(1, "tools/list", "");
      return web.say(list.with("Authorization", "Bearer " + token).post()).head();
    }
  }

  @Test
  void oneMoreClientIsServedByItsTokenAndOneMoreAdminLogsInByHisKey() throws IOException {
    follow("A token for one more client");
    String token = group.home().read("ann.token");
    await().atMost(SOON).until(() -> toolsBy(token).startsWith("HTTP/1.1 200"));
    assertThat(toolsBy(group.adminToken())).startsWith("HTTP/1.1 200");

    follow("A key for one more admin");
    ProgramRun status = group.ssh(group.home().file("bob_key"), "fiedler", "mad-status");
    assertThat(status.exitStatus()).as(status.toString()).isZero();
    Path first = group.home().file("configs/secrets/admin_ssh_key");
    assertThat(group.ssh(first, "fiedler", "mad-status").exitStatus()).isZero();
  }

  @Test
  void anOldSshKeyIsRefusedAndTheNewOneWorks() throws IOException {
    Path key = group.home().file("configs/secrets/admin_ssh_key");
    Path old = group.home().file("old-key");
    Files.copy(key, old, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(group.ssh(old, "fiedler", "mad-status").exitStatus()).isZero();

    follow("A new SSH key");

    await()
        .atMost(SOON)
        .until(() -> group.ssh(old, "fiedler", "mad-status").err().contains("Permission denied"));
    ProgramRun with = group.ssh(key, "fiedler", "mad-status");
    assertThat(with.exitStatus()).as(with.toString()).isZero();
  }
}
