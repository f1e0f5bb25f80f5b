package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code ./joshua up -d}, {@code stop}, and the log that a crash leaves behind. */
class DetachedStartIT {
  private final Stage stage = new Stage();

  @AfterEach
  void closeStage() {
    stage.run("stop");
    stage.close();
  }

  @Test
  void itReturnsWhenTheGroupIsUpWhichOutlivesItAndACrash() {
    Run start = HouseLauncher.start(stage, "up", "-d");
    assertThat(start.exitStatus(Duration.ofMinutes(2))).as(start.toString()).isZero();
    assertThat(start.out()).contains("is up (process ", "joshua stop");
    Group group = Group.of(stage, start, stage.data());
    assertThat(group.get("/readyz").statusCode()).isEqualTo(200);

    Run second = HouseLauncher.start(stage, "up", "-d");
    assertThat(second.exitStatus()).isEqualTo(69);
    assertThat(second.err()).contains("A Joshua runs on the data directory");

    ProcessHandle jvm =
        ProcessHandle.of(group.runFile().path("pids").path("joshua").asLong()).orElseThrow();
    jvm.destroyForcibly();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> !group.runFileNow().path("epoch").equals(group.runFile().path("epoch")));

    Run stop = stage.run("stop");
    assertThat(stop.exitStatus()).as(stop.toString()).isZero();
    assertThat(stop.out()).contains("stopped ", "grace", "fiedler", "rogers", "Redis");
    assertThat(stage.data().resolve("run.json")).doesNotExist();
    assertThat(stage.run("stop").exitStatus()).isEqualTo(69);
    Run logs = stage.run("logs");
    assertThat(logs.exitStatus()).as(logs.toString()).isZero();
    assertThat(logs.out())
        .contains("is up: {", "is up, started again by its launcher: {", "stopping");
  }

  @Test
  void itSaysWhyTheGroupIsNotUp() {
    stage.file("data", "no directory");
    Run start = HouseLauncher.start(stage, "up", "-d");
    assertThat(start.exitStatus(Duration.ofMinutes(2))).isEqualTo(69);
    assertThat(start.err()).contains("can't be used");
  }
}
