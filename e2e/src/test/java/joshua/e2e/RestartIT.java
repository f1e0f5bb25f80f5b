package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that {@code ./joshua up} restarts its group when that has ended by a failure. */
class RestartIT {
  private static final Duration BACK_WITHIN = Duration.ofSeconds(60);

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void closeStage() {
    environment.close();
  }

  @Test
  void aGroupThatWasOutOfMemoryComesBackWithAllThatWasAcknowledged() throws Exception {
    ProgramRun launcher = HouseLauncher.start(environment, "up").awaitOut("Stop with Ctrl-C.");
    GroupUnderTest groupUnderTest = GroupUnderTest.of(environment, launcher, environment.data());
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("ann", "mad.topic.x");
    ann.send("bob", "mad.topic.x", "{'n':1}");
    JsonNode polled = ann.poll("ann");
    Set<String> accepted = new HashSet<>();
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    for (int n = 0; n < 20; n++) {
      accepted.add(
          fiedler
              .call("fiedler_converse", "{'prompt':'tasks','requester_id':'ann'}")
              .path("task_id")
              .asText());
    }
    ann.send("bob", "mad.topic.x", "{'n':2}");
    long jvm = groupUnderTest.runFile().path("pids").path("joshua").asLong();

    JvmFault.HEAP.plant(environment, jvm);

    launcher.awaitErr("it was out of memory (exit status 3). Starting it again, 1 of at most 3");
    GroupUnderTest again = awaitNext(launcher, groupUnderTest);
    assertThat(again.runFile().path("ports")).isEqualTo(groupUnderTest.runFile().path("ports"));
    FrameSocketClient asking = again.client("fiedler");
    for (String task : accepted) {
      assertThat(
              asking
                  .call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(task))
                  .path("task_id")
                  .asText())
          .isEqualTo(task);
    }
    JsonNode missed =
        again
            .client()
            .call(
                "grace_poll_messages",
                "{'client_id':'ann','wait_ms':0,'cursor':'%s'}"
                    .formatted(polled.path("cursor").asText()));
    assertThat(missed.toString()).contains("restart");

    assertThat(launcher.terminate()).isZero();
    assertThat(launcher.descendants()).isEmpty();
  }

  @Test
  void withItsLauncherKilledTheGroupStops() {
    ProgramRun launcher = HouseLauncher.start(environment, "up").awaitOut("Stop with Ctrl-C.");
    GroupUnderTest groupUnderTest = GroupUnderTest.of(environment, launcher, environment.data());
    ProcessHandle jvm =
        ProcessHandle.of(groupUnderTest.runFile().path("pids").path("joshua").asLong())
            .orElseThrow();

    launcher.kill();

    await().atMost(Duration.ofSeconds(15)).until(() -> !jvm.isAlive());
    assertThat(environment.data().resolve("run.json")).as("it stopped in order").doesNotExist();
  }

  @Test
  void aSignalToAllOfItIsOneSignal() {
    ProgramRun launcher = HouseLauncher.start(environment, "up").awaitOut("Stop with Ctrl-C.");
    GroupUnderTest groupUnderTest = GroupUnderTest.of(environment, launcher, environment.data());
    long jvm = groupUnderTest.runFile().path("pids").path("joshua").asLong();

    UnixSignals.send("TERM", jvm);
    UnixSignals.send("TERM", launcher.pid());

    assertThat(launcher.exitStatus(Duration.ofSeconds(12))).isZero();
  }

  private static GroupUnderTest awaitNext(ProgramRun launcher, GroupUnderTest before) {
    await()
        .atMost(BACK_WITHIN)
        .ignoreExceptions()
        .until(() -> !before.runFileNow().path("epoch").equals(before.runFile().path("epoch")));
    return GroupUnderTest.of(before.stage(), launcher, before.data());
  }
}
