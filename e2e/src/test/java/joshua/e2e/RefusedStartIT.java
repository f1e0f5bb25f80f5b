package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.testing.FreePort;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Starts that can't be: each ends at once, in one sentence that says what to change. */
final class RefusedStartIT {
  private static final Stage NEIGHBOUR = new Stage();
  private static Group running;

  private final Stage stage = new Stage();

  @BeforeAll
  static void start() {
    running = NEIGHBOUR.up();
  }

  @AfterAll
  static void stop() {
    NEIGHBOUR.close();
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void aSecondGroupOnTheSameDataDirectoryIsRefusedByName() {
    Run second = stage.run("JOSHUA_DATA_DIR=" + running.data(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second)
        .contains(running.data().toString())
        .contains("process " + running.run().pid())
        .contains("JOSHUA_DATA_DIR");
    assertThat(running.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    Run second = stage.run("JOSHUA_GRACE_PORT=" + running.gracePort(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second)
        .contains("127.0.0.1:" + running.gracePort())
        .contains("JOSHUA_GRACE_PORT");
    assertThat(stage.data().resolve("run.json")).doesNotExist();
    assertThat(stage.processes()).isEmpty();
  }

  @Test
  void aRedisPortThatWasAskedForIsNamedWhenItIsTaken() {
    Run second = stage.run("JOSHUA_REDIS_PORT=" + running.redisPort(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second).contains("Port " + running.redisPort()).contains("JOSHUA_REDIS_PORT");
  }

  @Test
  void aWrongPasswordIsSaidInOneSentenceThatDoesNotTellIt() throws Exception {
    ExternalRedis redis = ExternalRedis.on(stage);
    Path wrong = Files.writeString(stage.path().resolve("wrong.password"), "Tr0ub4dor&3");

    for (String command : List.of("up", "grace")) {
      Run run =
          stage.run(
              "JOSHUA_REDIS_URL=" + redis.url(), "JOSHUA_REDIS_PASSWORD_FILE=" + wrong, command);
      assertThat(run.exitStatus()).isEqualTo(69);
      assertOneSentence(run)
          .contains("127.0.0.1:" + redis.port())
          .contains("refused the user name or password")
          .contains("JOSHUA_REDIS_PASSWORD_FILE")
          .doesNotContain("Tr0ub4dor&3");
    }
    Run none = stage.run("JOSHUA_REDIS_URL=" + redis.url(), "up");
    assertThat(none.exitStatus()).isEqualTo(69);
    assertOneSentence(none).contains("There is no password").contains("JOSHUA_REDIS_PASSWORD_FILE");
  }

  @Test
  void aMalformedAddressOfRedisIsMisuse() {
    for (String url :
        new String[] {"http://:secret@localhost:6379", "redis://:secret@local host"}) {
      Run run = stage.run("JOSHUA_REDIS_URL=" + url, "up");
      assertThat(run.exitStatus()).isEqualTo(2);
      assertOneSentence(run).contains("JOSHUA_REDIS_URL", "redis://").doesNotContain("secret");
    }
  }

  @Test
  void aRedisThatIsNotThereIsSaidAtOnce() {
    int nobody = FreePort.any();

    Run run = stage.run("JOSHUA_REDIS_URL=redis://:secret@127.0.0.1:" + nobody, "up");

    assertThat(run.exitStatus()).isEqualTo(69);
    assertOneSentence(run)
        .contains("127.0.0.1:" + nobody)
        .contains("connection refused")
        .contains("JOSHUA_REDIS_URL")
        .doesNotContain("secret");
    Run send = stage.run("send", "mad.topic.x", "{}");
    assertThat(send.exitStatus()).isEqualTo(69);
    assertOneSentence(send).contains(stage.data().toString()).contains("./joshua up");
  }

  @Test
  void allThatIsWrongWithTheSettingsIsSaidAtOnce() {
    Run run =
        stage.run(
            "JOSHUA_GRACE_QUEUE_LIMT=100",
            "JOSHUA_GRACE_PORT=80000",
            "JOSHUA_LOG_LEVEL=loud",
            "up",
            "--grace-prot=1");

    assertThat(run.exitStatus()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .hasSize(4)
        .allMatch(line -> line.startsWith("joshua: "))
        .anyMatch(line ->
            line.contains(
                "JOSHUA_GRACE_QUEUE_LIMT is not a setting; did you mean JOSHUA_GRACE_QUEUE_LIMIT?"))
        .anyMatch(line -> line.contains("JOSHUA_GRACE_PORT") && line.contains("80000"))
        .anyMatch(line -> line.contains("JOSHUA_LOG_LEVEL") && line.contains("loud"))
        .anyMatch(line -> line.contains("--grace-prot is not a flag; did you mean --grace-port?"));
    assertThat(stage.data()).doesNotExist();
  }

  @Test
  void offLoopbackNothingStartsWithoutTokens() {
    for (String command : List.of("up", "grace")) {
      Run run = stage.run("JOSHUA_BIND=0.0.0.0", command);
      assertThat(run.exitStatus()).isEqualTo(2);
      assertOneSentence(run).contains("JOSHUA_BIND").contains("JOSHUA_TOKENS_FILE");
    }
    assertThat(stage.data()).doesNotExist();
  }

  /** What a failed call has to say for itself: nothing but one line. */
  private static AbstractStringAssert<?> assertOneSentence(Run run) {
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    return assertThat(run.err()).startsWith("joshua: ");
  }
}
