package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@code ./joshua up -d}, {@code stop}, and the log that a crash leaves behind. */
class DetachedStartIT {
  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void closeStage() {
    environment.run("stop");
    environment.close();
  }

  @Test
  void itReturnsWhenTheGroupIsUpWhichOutlivesItAndACrash() {
    ProgramRun start = HouseLauncher.start(environment, "up", "-d");
    assertThat(start.exitStatus(Duration.ofMinutes(2))).as(start.toString()).isZero();
    assertThat(start.out()).contains("is up (process ", "joshua stop");
    GroupUnderTest groupUnderTest = GroupUnderTest.of(environment, start, environment.data());
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200);

    ProgramRun second = HouseLauncher.start(environment, "up", "-d");
    assertThat(second.exitStatus()).isEqualTo(69);
    assertThat(second.err()).contains("A Joshua runs on the data directory");

    ProcessHandle jvm =
        ProcessHandle.of(groupUnderTest.runFile().path("pids").path("joshua").asLong())
            .orElseThrow();
    jvm.destroyForcibly();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() ->
            !groupUnderTest
                .runFileNow()
                .path("epoch")
                .equals(groupUnderTest.runFile().path("epoch")));

    ProgramRun stop = environment.run("stop");
    assertThat(stop.exitStatus()).as(stop.toString()).isZero();
    assertThat(stop.out()).contains("stopped ", "grace", "fiedler", "rogers", "Redis");
    assertThat(environment.data().resolve("run.json")).doesNotExist();
    assertThat(environment.run("stop").exitStatus()).isEqualTo(69);
    ProgramRun logs = environment.run("logs");
    assertThat(logs.exitStatus()).as(logs.toString()).isZero();
    assertThat(logs.out())
        .contains("is up: {", "is up, started again by its launcher: {", "stopping");
  }

  @Test
  void itSaysWhyTheGroupIsNotUp() {
    environment.file("data", "no directory");
    ProgramRun start = HouseLauncher.start(environment, "up", "-d");
    assertThat(start.exitStatus(Duration.ofMinutes(2))).isEqualTo(69);
    assertThat(start.err()).contains("can't be used");
  }
}
