package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code joshua stop}, with a program in place of the running group. */
@Isolated // Logging is set up for the whole process.
class StopCommandTest {
  @TempDir Path home;

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  private Path data() throws Exception {
    Path data = home.resolve("data");
    return Files.exists(data)
        ? data
        : Files.createDirectory(
            data,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private TestSurroundings surroundings() throws Exception {
    return new TestSurroundings(Map.of("JOSHUA_DATA_DIR", data().toString()), home);
  }

  private static RunFile run(Process group, Instant startedAt) {
    return new RunFile(
        UUID.randomUUID(),
        startedAt,
        Map.of(RunFile.SELF, group.pid()),
        Map.of("grace", 1, "rogers", 2),
        Map.of());
  }

  private static Process group() throws Exception {
    return new ProcessBuilder("sleep", "600").start();
  }

  @Test
  void whereNothingRunsThereIsNothingToStop() throws Exception {
    TestSurroundings surroundings = surroundings();
    assertThat(surroundings.run("stop")).isEqualTo(69);
    assertThat(surroundings.err())
        .contains("No group runs on the data directory " + data())
        .contains("nothing to stop");
  }

  @Test
  void aRunThatHasCrashedIsNotStopped() throws Exception {
    Process other = group();
    try {
      run(other, Instant.now()).write(data());
      assertThat(surroundings().run("stop")).isEqualTo(69);
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void whatHasEndedIsSaid() throws Exception {
    Process group = group();
    try (DataDirectory data = DataDirectory.hold(data())) {
      data.publish(run(group, Instant.now()));
      TestSurroundings surroundings = surroundings();
      assertThat(surroundings.run("stop", "-o", "json")).as(surroundings.err()).isZero();
      assertThat(group.waitFor(10, TimeUnit.SECONDS)).isTrue();
      JsonNode said = Json.parse(surroundings.out());
      assertThat(said.path("stopped").toString()).contains("grace", "rogers");
      assertThat(said.path("stopped").toString()).doesNotContain("fiedler");
      assertThat(said.path("pids").path("joshua").asLong()).isEqualTo(group.pid());
    } finally {
      group.destroyForcibly();
    }
  }

  @Test
  void aProcessThatTookTheNumberOfTheLastRunIsLeftAlone() throws Exception {
    Process other = group();
    try (DataDirectory data = DataDirectory.hold(data())) {
      data.publish(run(other, Instant.now().minusSeconds(3_600)));
      TestSurroundings surroundings = surroundings();
      assertThat(surroundings.run("stop")).isEqualTo(69);
      assertThat(surroundings.err()).contains("A group is starting");
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }
}
