package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code joshua mcp}: outlives its service, and ends with its parent (+JN-06). */
class BridgeTest extends ProgramTest {
  private Run bridge;
  private int lastId;

  @BeforeEach
  void start() {
    bridge = program.start("mcp", "grace?client_id=ann");
  }

  private int request(String method, ObjectNode params) throws IOException {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", ++lastId);
    send(message.put("method", method).set("params", params));
    return lastId;
  }

  private int call(String tool, String arguments) throws Exception {
    ObjectNode params = Json.object().put("name", tool);
    return request("tools/call", params.set("arguments", Json.parse(arguments)));
  }

  private void send(JsonNode message) throws IOException {
    OutputStream in = bridge.process().getOutputStream();
    in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** The result of a request, once it has come. */
  private JsonNode result(int id) throws Exception {
    String begin = "{\"jsonrpc\":\"2.0\",\"id\":%d,".formatted(id);
    bridge.awaitSaid(begin);
    String said = bridge.said();
    String line = said.substring(said.indexOf(begin)).lines().findFirst().orElseThrow();
    return Json.parse(line).path("result");
  }

  /** A request that was made too early has succeeded, if need be when made again. */
  private void succeeded(int early, Callable<Integer> again) throws Exception {
    for (JsonNode answer = result(early); ; answer = result(again.call())) {
      if (!answer.isMissingNode() && !answer.has("isError")) {
        return;
      }
    }
  }

  private void awaitUpdates(int count) {
    Await.until(
        "%d updates".formatted(count),
        () -> bridge.said().split("notifications/resources/updated", -1).length > count);
  }

  @Test
  void outlivesItsServiceAndEndsWithItsInput() throws Exception {
    int initialize = request("initialize", Json.object()); // before there is a service
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    succeeded(initialize, () -> request("initialize", Json.object()));
    send(Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized"));
    String subscribe = "{\"topics\":[\"mad.topic.x\"]}";
    result(call("grace_subscribe", subscribe));
    result(request("resources/subscribe", Json.object().put("uri", "grace://clients/ann/queue")));
    program.run("send", "mad.topic.x", "Grüße");
    awaitUpdates(1);
    JsonNode polled = result(call("grace_poll_messages", "{}"));
    assertThat(polled.at("/structuredContent/messages/0/payload/text").asText()).isEqualTo("Grüße");

    int waiting = call("grace_poll_messages", "{\"wait_ms\":600000}");
    Await.until(
        "the poll is open",
        () ->
            result(call("grace_subscribe", subscribe))
                .path("structuredContent")
                .has("already_polling_since"));
    program.killGroup();
    JsonNode broken = result(waiting);
    assertThat(broken.path("isError").asBoolean()).isTrue();
    assertThat(broken.at("/_meta/joshua~1error/outcome").asText()).isEqualTo("unknown");

    int early = call("grace_subscribe", subscribe);
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    succeeded(early, () -> call("grace_subscribe", subscribe));
    awaitUpdates(2); // it is told that there may be something, and watches again
    Await.until(
        "what it watches is told again",
        () -> {
          program.run("send", "mad.topic.x", "again");
          return bridge.said().split("notifications/resources/updated", -1).length > 3;
        });

    bridge.process().getOutputStream().close();
    assertThat(bridge.exitStatus()).isZero();
  }

  /** Their input stays open, as that of a client that was killed does where others hold it. */
  @Tag("slow")
  @Test
  void endsSoonAfterItsParentUnlessItIsToStayOrHadNone() throws Exception {
    Process parent =
        Program.builder(
                directory,
                List.of(
                    "sh",
                    "-c",
                    """
                    mkfifo own stays alone
                    "$0" mcp <>own >own.out & echo $! >own.pid
                    "$0" mcp --stay <>stays >stays.out & echo $! >stays.pid
                    setsid -f sh -c 'echo $$ >alone.pid; exec "$0" mcp <>alone >alone.out' "$0"
                    wait
                    """,
                    Program.LAUNCHER.toString()))
            .start();
    List<String> names = List.of("own", "stays", "alone");
    try {
      for (String name : names) {
        answers(name); // so that it knows its parent
      }
      parent.destroyForcibly();
      process("own").ifPresent(own -> own.onExit().join());
      answers("stays");
      answers("alone");
    } finally {
      parent.destroyForcibly();
      for (String name : names) {
        process(name).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  /** What isn't JSON is answered by the bridge itself. */
  private void answers(String name) throws IOException {
    Path out = directory.resolve(name + ".out");
    Await.until(name + " runs", () -> Files.exists(out));
    int before = Files.readAllLines(out).size();
    Files.writeString(directory.resolve(name), "x\n", StandardOpenOption.WRITE);
    Await.until(name + " answers", () -> Files.readAllLines(out).size() > before);
  }

  private Optional<ProcessHandle> process(String name) throws IOException {
    String id = Files.readString(directory.resolve(name + ".pid")).strip();
    return ProcessHandle.of(Long.parseLong(id));
  }
}
