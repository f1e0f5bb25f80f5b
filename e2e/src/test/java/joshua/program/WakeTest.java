package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** {@code joshua wake}: runs a command when mail waits, once, until that is collected. */
class WakeTest extends ProgramTest {
  private JsonNode wake(String name) {
    return program.run("wakes", name, "-o", "json").json().at("/rows/0");
  }

  private void awaitState(String name, String state) {
    Await.until(
        name + "'s wake is " + state, () -> wake(name).path("state").asText().equals(state));
  }

  @Test
  void t14ACommandRunsOnceForAllThatWaitsAndWhatFailsIsDead() throws Exception {
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    Path log = directory.resolve("woken");
    Path end = directory.resolve("end");
    String turn = "echo \"$0\" >> %s; until [ -e %s ]; do sleep 0.1; done".formatted(log, end);
    Run ann = program.start("wake", "ann", "--", "sh", "-c", turn, "{text}");
    Run bob =
        program.start("wake", "bob", "--else", "echo else >> " + log, "--", "no-such-command");
    String refused = "printf '\\033[31m%s: invalid key\\n\\n' $$ >&2; exit 1";
    Run cara = program.start("wake", "cara", "--", "sh", "-c", refused);
    program.run("send", "ann", "a secret", "--as", "cid");
    awaitState("ann", "running");
    Await.until("the command runs", () -> Files.exists(log));
    program.run("send", "ann", "another", "--as", "cid");
    assertThat(program.run("inbox", "ann", "--take").said()).contains("a secret", "another");
    awaitState("ann", "done");
    Files.createFile(end);
    assertThat(Files.readString(log))
        .startsWith("You are ann on the bus. 1 message waits for you, the oldest from cid, for ")
        .doesNotContain("secret");

    program.run("send", "bob", "a secret", "--as", "cid");
    program.run("send", "cara", "a secret", "--as", "cid");
    Await.until(
        "the third try is the other command",
        () -> wake("bob").path("attempts").asText().endsWith("ended"));
    assertThat(wake("bob").path("attempts").asText())
        .matches("(failed: .*no-such-command.*; ){2}ended");
    assertThat(Files.readString(log).lines()).hasSize(2).last().isEqualTo("else");
    assertThat(ann.said()).contains("Wake 1, try 1 of 3.").doesNotContain("try 2");
    assertThat(bob.said()).contains("try 3 of 3.");
    cara.awaitSaid(
        "The wakes of cara are paused: three equal failures: status 1. joshua wake-again cara");
    assertThat(wake("cara").path("attempts").asText())
        .matches("(failed: status 1: \\d+: invalid key(; )?){3}");
  }

  private static List<String> started(Path log, int count) {
    return Await.value(
        "so many have started",
        () -> Files.exists(log) ? Files.readAllLines(log) : List.<String>of(),
        lines -> lines.size() >= count);
  }

  private static ProcessHandle process(String id) {
    return ProcessHandle.of(Long.parseLong(id)).orElseThrow();
  }

  @Test
  void whatAKilledRunnerLeavesIsAwaitedAndWhatAnEndingOneRunsEnds() throws Exception {
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    Path log = directory.resolve("started");
    String client = "trap '' TERM; echo $$ >> %1$s; while [ -e %1$s ]; do sleep 0.1; done";
    String[] ann = {"wake", "ann", "--", "sh", "-c", "sh -c \"$0\"; true", client.formatted(log)};
    Run killed = program.start(ann);
    program.run("send", "ann", "one", "--as", "cid");
    ProcessHandle left = process(started(log, 1).getFirst());
    killed.process().destroyForcibly();
    assertThat(killed.exitStatus()).isEqualTo(137);
    program.run("inbox", "ann", "--take");
    awaitState("ann", "done");
    Run next = program.start(ann);
    next.awaitSaid(", of an earlier runner.");
    program.run("send", "ann", "two", "--as", "cid");
    awaitState("ann", "due");
    program.start("wake", "bob", "--", "sh", "-c", "echo bob >> " + log);
    program.run("send", "bob", "later", "--as", "cid");
    assertThat(started(log, 2)).as("not ann").hasSize(2).last().isEqualTo("bob");
    left.destroyForcibly();
    ProcessHandle second = process(started(log, 3).getLast());
    next.process().destroy();
    assertThat(next.exitStatus()).isEqualTo(143);
    Await.until("all that it started has ended", () -> !second.isAlive());
    Await.until(
        "the wake is due again, without a try less",
        () -> wake("ann").path("reason").asText().equals("its runner was stopped"));
    assertThat(wake("ann").path("tries").asInt()).isZero();
  }
}
