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

/** Tests starts that must fail: each ends at once, with one sentence that says what to change. */
final class RefusedGroupStartIT {
  private static final TestEnvironment NEIGHBOUR = new TestEnvironment();
  private static GroupUnderTest running;

  private final TestEnvironment environment = new TestEnvironment();

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
    environment.close();
  }

  @Test
  void aSecondGroupOnTheSameDataDirectoryIsRefusedByName() {
    ProgramRun second = environment.run("JOSHUA_DATA_DIR=" + running.data(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second)
        .contains(running.data().toString())
        .contains("process " + running.run().pid())
        .contains("JOSHUA_DATA_DIR");
    assertThat(running.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    ProgramRun second = environment.run("JOSHUA_GRACE_PORT=" + running.gracePort(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second)
        .contains("127.0.0.1:" + running.gracePort())
        .contains("JOSHUA_GRACE_PORT");
    assertThat(environment.data().resolve("run.json")).doesNotExist();
    assertThat(environment.processes()).isEmpty();
  }

  @Test
  void aRedisPortThatWasAskedForIsNamedWhenItIsTaken() {
    ProgramRun second = environment.run("JOSHUA_REDIS_PORT=" + running.redisPort(), "up");

    assertThat(second.exitStatus()).isEqualTo(69);
    assertOneSentence(second).contains("Port " + running.redisPort()).contains("JOSHUA_REDIS_PORT");
  }

  @Test
  void aWrongPasswordIsSaidInOneSentenceThatDoesNotTellIt() throws Exception {
    ExternalRedis redis = ExternalRedis.on(environment);
    Path wrong = Files.writeString(environment.path().resolve("wrong.password"), "Tr0ub4dor&3");

    for (String command : List.of("up", "grace")) {
      ProgramRun programRun =
          environment.run(
              "JOSHUA_REDIS_URL=" + redis.url(), "JOSHUA_REDIS_PASSWORD_FILE=" + wrong, command);
      assertThat(programRun.exitStatus()).isEqualTo(69);
      assertOneSentence(programRun)
          .contains("127.0.0.1:" + redis.port())
          .contains("refused the user name or password")
          .contains("JOSHUA_REDIS_PASSWORD_FILE")
          .doesNotContain("Tr0ub4dor&3");
    }
    ProgramRun none = environment.run("JOSHUA_REDIS_URL=" + redis.url(), "up");
    assertThat(none.exitStatus()).isEqualTo(69);
    assertOneSentence(none).contains("There is no password").contains("JOSHUA_REDIS_PASSWORD_FILE");
  }

  @Test
  void aMalformedAddressOfRedisIsMisuse() {
    for (String url :
        new String[] {"http://:secret@localhost:6379", "redis://:secret@local host"}) {
      ProgramRun programRun = environment.run("JOSHUA_REDIS_URL=" + url, "up");
      assertThat(programRun.exitStatus()).isEqualTo(2);
      assertOneSentence(programRun)
          .contains("JOSHUA_REDIS_URL", "redis://")
          .doesNotContain("secret");
    }
  }

  @Test
  void aRedisThatIsNotThereIsSaidAtOnce() {
    int nobody = FreePort.any();

    ProgramRun programRun =
        environment.run("JOSHUA_REDIS_URL=redis://:secret@127.0.0.1:" + nobody, "up");

    assertThat(programRun.exitStatus()).isEqualTo(69);
    assertOneSentence(programRun)
        .contains("127.0.0.1:" + nobody)
        .contains("connection refused")
        .contains("JOSHUA_REDIS_URL")
        .doesNotContain("secret");
    ProgramRun send = environment.run("send", "mad.topic.x", "{}");
    assertThat(send.exitStatus()).isEqualTo(69);
    assertOneSentence(send).contains(environment.data().toString()).contains("./joshua up");
  }

  @Test
  void allThatIsWrongWithTheSettingsIsSaidAtOnce() {
    ProgramRun programRun =
        environment.run(
            "JOSHUA_GRACE_QUEUE_LIMT=100",
            "JOSHUA_GRACE_PORT=80000",
            "JOSHUA_LOG_LEVEL=loud",
            "up",
            "--grace-prot=1");

    assertThat(programRun.exitStatus()).isEqualTo(2);
    assertThat(programRun.out()).isEmpty();
    assertThat(programRun.err().lines())
        .hasSize(4)
        .allMatch(line -> line.startsWith("joshua: "))
        .anyMatch(line ->
            line.contains(
                "JOSHUA_GRACE_QUEUE_LIMT is not a setting; did you mean JOSHUA_GRACE_QUEUE_LIMIT?"))
        .anyMatch(line -> line.contains("JOSHUA_GRACE_PORT") && line.contains("80000"))
        .anyMatch(line -> line.contains("JOSHUA_LOG_LEVEL") && line.contains("loud"))
        .anyMatch(line -> line.contains("--grace-prot is not a flag; did you mean --grace-port?"));
    assertThat(environment.data()).doesNotExist();
  }

  @Test
  void offLoopbackNothingStartsWithoutTokens() {
    for (String command : List.of("up", "grace")) {
      ProgramRun programRun = environment.run("JOSHUA_BIND=0.0.0.0", command);
      assertThat(programRun.exitStatus()).isEqualTo(2);
      assertOneSentence(programRun).contains("JOSHUA_BIND").contains("JOSHUA_TOKENS_FILE");
    }
    assertThat(environment.data()).doesNotExist();
  }

  /** The output of a failed call: one line and nothing else. */
  private static AbstractStringAssert<?> assertOneSentence(ProgramRun programRun) {
    assertThat(programRun.out()).isEmpty();
    assertThat(programRun.err().lines()).hasSize(1);
    return assertThat(programRun.err()).startsWith("joshua: ");
  }
}
