package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** {@code joshua wait}: outlives the group, ends with its parent, and wakes by status 2 alone. */
class WaitTest extends ProgramTest {
  /** Its own messages wake nobody. */
  private void awaitWaiter(String name) {
    Await.until(
        "somebody waits for " + name,
        () -> program.run("send", name, "hi", "--as", name, "-o", "json").json().has("wakes"));
  }

  @Test
  void outlivesTheGroupAndWakesOnce() throws Exception {
    assertThat(program.run("wait", "ann", "--timeout", "0").exitStatus()).isZero();
    Run first = program.start("wait", "ann");
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    awaitWaiter("ann");
    assertThat(program.run("connect", "codex", "--as", "ann").complained())
        .contains("Another client is ann now, so this one is ann-2.");
    Run second = program.start("wait", "ann");
    assertThat(first.exitStatus()).isZero();
    assertThat(program.run("wait", "ann", "--timeout", "0").exitStatus()).isZero();
    awaitWaiter("ann"); // whoever looks once ends nobody's wait
    program.killGroup();
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    awaitWaiter("ann");
    program.run("send", "ann", "a secret", "--as", "bob");
    assertThat(second.exitStatus()).isEqualTo(2);
    assertThat(second.complained())
        .matches("1 message waits for ann, from bob, \\d+ s ago: read it with \\S+\\.\n");
    assertThat(first.said() + first.complained() + second.said()).isEmpty();
  }

  @Test
  void looksOnceAndTheInboxShowsWhatItTold() throws Exception {
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    assertThat(program.run("wait", "cid", "--timeout", "1").exitStatus()).isZero();
    Run nothing = program.run("inbox", "cid", "--hook", "gemini:AfterAgent");
    assertThat(nothing.said() + nothing.complained() + nothing.exitStatus()).isEqualTo("0");
    program.run("send", "cid", "one", "--as", "bob");
    program.run("send", "cid", "two", "--as", "ann");
    Run late = program.run("wait", "cid", "--timeout", "0");
    assertThat(late.exitStatus()).isEqualTo(2);
    assertThat(late.complained()).startsWith("2 messages wait for cid, the oldest from bob, ");
    Run shown = program.run("inbox", "cid");
    assertThat(shown.said())
        .containsPattern(
            "sender +channel +timestamp +text\nbob +mad\\.direct\\.cid +.* s ago +one\nann ")
        .endsWith("two\n");
    JsonNode begins = program.run("inbox", "cid", "--hook", "claude:UserPromptSubmit").json();
    assertThat(begins.at("/hookSpecificOutput/additionalContext").asText())
        .startsWith("2 messages wait for cid, the oldest from bob, ");
    assertThat(program.run("inbox", "cid", "--take").said()).endsWith("two\n");
    assertThat(program.run("inbox", "cid").said()).isEqualTo("Nothing waits for cid.\n");
    Run refused = program.run("wait", "fiedler");
    assertThat(refused.exitStatus()).isEqualTo(1);
    assertThat(refused.complained()).contains("client_id must not be fiedler");
  }

  /** As their clients run them: a window of Claude Code, and a thread of Codex. */
  @Test
  void hooksThatConnectWritesWakeTheirClients() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    for (String client : List.of("claude", "codex")) {
      Path command = Files.writeString(bin.resolve(client), "#!/bin/sh\necho \"$@\" >>$0.calls\n");
      Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    }
    Map<String, String> environment = new HashMap<>(Program.FREE_PORTS);
    environment.put("PATH", bin + ":" + System.getenv("PATH"));
    try (Program group = new Program(directory, environment)) {
      assertThat(group.run("up", "-d").exitStatus()).isZero();
      assertThat(group.run("connect", "codex", "--hooks").complained()).contains("need --as NAME");
      for (String client : List.of("claude-code", "codex")) {
        Run written = group.run("connect", client, "--as", client, "--hooks", "--write");
        assertThat(written.exitStatus()).isZero();
        assertThat(written.complained()).contains("; a window that idles is woken");
        group.run("wait", client, "--timeout", "1"); // it has a queue now
        group.run("send", client, "hi", "--as", "bob");
      }
      String claude = stopHook(".claude/settings.local.json");
      assertThat(shell(claude, Map.of("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"), "")).isEqualTo("0: ");
      assertThat(shell(claude, Map.of("CLAUDE_CODE_ENTRYPOINT", "cli"), ""))
          .startsWith("2: 1 message waits for claude-code, from bob, ");
      String thread = "{\"session_id\":\"01a-9\",\"cwd\":\"/x\"}";
      assertThat(shell(stopHook(".codex/hooks.json"), environment, thread)).isEqualTo("0: ");
      assertThat(bin.resolve("codex.calls"))
          .content()
          .contains("queue --thread 01a-9 --message 1 message waits for codex, from bob, ");
    }
  }

  private String stopHook(String file) throws Exception {
    return Json.parse(Files.readString(directory.resolve(file)))
        .at("/hooks/Stop/0/hooks/0/command")
        .asText();
  }

  /** The exit status of a command, and what it said. */
  private String shell(String command, Map<String, String> environment, String input)
      throws Exception {
    ProcessBuilder builder = Program.builder(directory, List.of("sh", "-c", command));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    try (Writer in = process.outputWriter()) {
      in.write(input);
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + said;
  }

  @Test
  void endsWithItsParent() throws Exception {
    assertThat(program.run("wait").exitStatus()).isEqualTo(64);
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    String waits = "\"$0\" wait dan & echo $! >pid; wait";
    List<String> command = List.of("sh", "-c", waits, Program.LAUNCHER.toString());
    Process parent = Program.builder(directory, command).redirectErrorStream(true).start();
    try {
      awaitWaiter("dan"); // so that it knows its parent
    } finally {
      parent.destroyForcibly();
    }
    ProcessHandle.of(Long.parseLong(Files.readString(directory.resolve("pid")).strip()))
        .ifPresent(orphan -> orphan.onExit().join());
  }
}
