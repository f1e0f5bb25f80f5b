package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stdio bridge in a separate process, in front of groups in theirs. */
class McpCommandIT {
  private static final Duration COMES_WITHIN = Duration.ofSeconds(40);

  @TempDir Path temp;
  private Path data;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void chooseDirectory() {
    data = temp.resolve("data");
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private BridgeProcess bridge(String... args) throws IOException {
    BridgeProcess bridge = new BridgeProcess(data, temp.resolve("bridge.log"), args);
    processes.add(bridge.process);
    return bridge;
  }

  private Process group(String... args) throws IOException {
    List<String> command =
        ProgramProcess.command(
            "up", "--data-dir", data.toString(), "--grace-port", "0", "--redis-port", "0");
    command.addAll(List.of(args));
    Process group =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("group.log").toFile())
            .start();
    processes.add(group);
    return group;
  }

  private static ObjectNode ann() {
    return Json.object().put("client_id", "ann");
  }

  private static ObjectNode subscription() {
    ObjectNode input = ann();
    input.putArray("topics").add("mad.topic.x");
    return input;
  }

  private static void untilSubscribed(BridgeProcess bridge) {
    await()
        .atMost(COMES_WITHIN)
        .until(() ->
            bridge
                .call("grace_subscribe", subscription())
                .path("status")
                .asText()
                .equals("success"));
  }

  @Test
  void theBridgeIsThereBeforeTheGroupAndOutlivesItsEnd() throws Exception {
    BridgeProcess bridge = bridge("--grace-port", "0");
    bridge.initialize();
    assertThat(bridge.tools()).contains("grace_send_message", "grace_poll_messages");
    JsonNode refused = bridge.call("grace_subscribe", subscription());
    assertThat(refused.path("code").asText()).isEqualTo("bus_unavailable");
    assertThat(refused.path("outcome").asText()).isEqualTo("not_sent");
    assertThat(refused.path("message").asText()).contains("No Joshua runs on").contains(" up");

    Process group = group();
    untilSubscribed(bridge);
    await().atMost(COMES_WITHIN).until(() -> bridge.heard("notifications/tools/list_changed"));

    bridge.begin("grace_poll_messages", ann().put("wait_ms", 25_000));
    assertThat(bridge.tools()).isNotEmpty();
    group.destroyForcibly().waitFor();
    JsonNode died = bridge.output();
    assertThat(died.path("code").asText()).isEqualTo("bus_unavailable");
    assertThat(died.path("outcome").asText()).isEqualTo("unknown");
    assertThat(bridge.call("grace_poll_messages", ann()).path("outcome").asText())
        .isEqualTo("not_sent");

    group();
    untilSubscribed(bridge);
    ObjectNode message = Json.object().put("channel", "mad.topic.x");
    message.putObject("payload").put("text", "hello");
    assertThat(bridge.call("grace_send_message", message).path("queues").asInt()).isEqualTo(1);
    assertThat(
            bridge
                .call("grace_poll_messages", ann().put("wait_ms", 20_000))
                .at("/messages/0/payload/text")
                .asText())
        .isEqualTo("hello");
    assertThat(bridge.notJson).isEmpty();
  }

  @Test
  void itEndsWithinASecondOfItsInputAlsoWithACallInFlight() throws Exception {
    group();
    BridgeProcess bridge = bridge("--grace-port", "0", "--log-level", "trace");
    bridge.initialize();
    untilSubscribed(bridge);
    bridge.begin("grace_poll_messages", ann().put("wait_ms", 25_000));
    assertThat(bridge.tools()).isNotEmpty();
    long began = System.nanoTime();
    bridge.endInput();
    assertThat(bridge.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    assertThat(bridge.process.exitValue()).isZero();
    assertThat(bridge.notJson).isEmpty();
    assertThat(Files.readString(temp.resolve("bridge.log"))).contains("the bridge ends");
  }

  @Test
  void itEndsWhenTheProcessThatHoldsItsInputIsKilled() throws Exception {
    List<Process> pipeline =
        ProcessBuilder.startPipeline(
            List.of(
                new ProcessBuilder("sleep", "600"),
                new ProcessBuilder(ProgramProcess.command("mcp", "--data-dir", data.toString()))));
    processes.addAll(pipeline);
    pipeline.getFirst().destroyForcibly();
    assertThat(pipeline.getLast().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(pipeline.getLast().exitValue()).isZero();
    assertThat(pipeline.getLast().getInputStream().readAllBytes()).isEmpty();
  }

  @Test
  void withTokensInForceItCallsAsTheOneWhoseTokenItHas() throws Exception {
    Path tokens = temp.resolve("tokens");
    TestSurroundings admin = new TestSurroundings(java.util.Map.of(), temp);
    assertThat(admin.run("token", "create", "ann", "--tokens-file", tokens.toString())).isZero();
    Path token = Files.writeString(temp.resolve("token"), admin.out());
    group("--tokens-file", tokens.toString());
    BridgeProcess without = bridge("--grace-port", "0");
    without.initialize();
    await()
        .atMost(COMES_WITHIN)
        .until(() ->
            without
                .call("grace_subscribe", subscription())
                .path("message")
                .asText()
                .contains("set JOSHUA_TOKEN_FILE"));
    BridgeProcess with = bridge("--grace-port", "0", "--token-file", token.toString());
    with.initialize();
    untilSubscribed(with);
    assertThat(
            with.call("grace_poll_messages", Json.object().put("client_id", "bob"))
                .path("code")
                .asText())
        .isEqualTo("forbidden");
  }

  @Test
  void aWrongSettingIsSaidOnStandardErrorAndNothingOnStandardOutput() throws Exception {
    BridgeProcess bridge = bridge("--grace-prot", "1");
    assertThat(bridge.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bridge.process.exitValue()).isEqualTo(UsageException.EXIT_STATUS);
    assertThat(Files.readString(temp.resolve("bridge.log"))).contains("--grace-port");
    assertThat(bridge.notJson).isEmpty();
  }

  @Test
  void withItsParentItEndsEvenIfItsInputIsHeldOpen() throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" <&3 & echo $!; wait", "sh"));
    command.addAll(ProgramProcess.command("mcp", "--data-dir", data.toString()));
    Path input = temp.resolve("input");
    new ProcessBuilder("mkfifo", input.toString()).start().waitFor();
    // Read and write: it is open from here on, whatever else has it open.
    List<String> parentOf =
        new ArrayList<>(List.of("sh", "-c", "exec 3<>'" + input + "'; exec \"$@\"", "sh"));
    parentOf.addAll(command);
    Process parent =
        new ProcessBuilder(parentOf).redirectError(temp.resolve("bridge.log").toFile()).start();
    processes.add(parent);
    ProcessHandle bridge;
    try (OutputStream held = Files.newOutputStream(input)) {
      bridge = ProcessHandle.of(Long.parseLong(parent.inputReader().readLine())).orElseThrow();
      held.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(UTF_8));
      held.flush();
      assertThat(parent.inputReader().readLine()).contains("\"id\":1");
      assertThat(bridge.isAlive()).isTrue();

      parent.destroyForcibly();

      await().atMost(COMES_WITHIN).until(() -> !bridge.isAlive());
    }
  }
}
