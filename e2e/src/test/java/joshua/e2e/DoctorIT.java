package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.testing.TestRequirements;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code joshua doctor} next to a running group, and on a disk that is too small. */
final class DoctorIT {
  private static final List<List<String>> OWN_MOUNTS =
      List.of(List.of("unshare", "-rm"), List.of("sudo", "-n", "unshare", "-m"));

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  /** The findings about a matter, one per line: verdict, what was found, how to fix it. */
  private static List<String> found(ProgramRun doctor, String check)
      throws Json.MalformedJsonException {
    List<String> found = new ArrayList<>();
    for (JsonNode each : Json.parse(doctor.out()).path("checks")) {
      if (each.path("check").asText().equals(check)) {
        found.add(
            "%s: %s -> %s"
                .formatted(
                    each.path("verdict").asText(),
                    each.path("found").asText(),
                    each.path("remedy").asText("")));
      }
    }
    return found;
  }

  @Test
  void aGroupThatIsWellIsSaidToBeAndItsPortsAreItsOwn() throws Exception {
    GroupUnderTest groupUnderTest = environment.up();
    ProgramRun doctor = environment.run("doctor", "-o", "json");

    assertThat(doctor.exitStatus()).as(doctor.out()).isZero();
    assertThat(doctor.out()).doesNotContain(groupUnderTest.password());
    for (String mad : List.of("grace", "fiedler", "rogers")) {
      assertThat(found(doctor, mad))
          .containsExactly(
              "ok: ready at http://127.0.0.1:%d -> ".formatted(groupUnderTest.port(mad)));
      assertThat(found(doctor, "port"))
          .anySatisfy(port ->
              assertThat(port)
                  .startsWith(
                      "ok: %d for %s is held by our own group"
                          .formatted(groupUnderTest.port(mad), mad)));
    }
    assertThat(found(doctor, "port"))
        .anySatisfy(port ->
            assertThat(port).startsWith("ok: %d for redis".formatted(groupUnderTest.redisPort())));
    assertThat(found(doctor, "redis rights"))
        .containsExactly("ok: the user may do what a MAD does -> ");
    assertThat(found(doctor, "file modes")).first().asString().startsWith("ok: ");
    assertThat(found(doctor, "database")).hasSize(5).allMatch(each -> each.endsWith("whole -> "));
    assertThat(environment.run("doctor").out()).contains("VERDICT").doesNotContain("BAD", "\033");

    // A user who wants to start a second group on the same port learns which process has it.
    ProgramRun other =
        environment.run(
            "JOSHUA_DATA_DIR=" + environment.path().resolve("other"),
            "JOSHUA_GRACE_PORT=" + groupUnderTest.gracePort(),
            "doctor",
            "-o",
            "json");
    assertThat(found(other, "port"))
        .anySatisfy(port -> assertThat(port).contains("is held by a grace of Joshua"));
  }

  /** The doctor is called from another shell, with other settings or none. */
  @Test
  void theDoctorLooksByTheSettingsOfTheGroupThatRuns() throws Exception {
    Path keys = Files.writeString(environment.path().resolve("keys"), "no key at all\n");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    environment.up(
        "JOSHUA_SSH_AUTHORIZED_KEYS=" + keys,
        "JOSHUA_MODEL_PROVIDER=openai",
        "JOSHUA_MODEL_NAME=tiny",
        "JOSHUA_MODEL_API_KEY=sk-hunter2");
    ProgramRun doctor =
        environment.run("JOSHUA_MODEL_PROVIDER=ollama", "doctor", "--quick", "-o", "json");

    assertThat(doctor.out() + doctor.err()).doesNotContain("hunter2");
    assertThat(found(doctor, "authorized keys")).first().asString().startsWith("bad: ");
    assertThat(found(doctor, "settings"))
        .singleElement()
        .asString()
        .startsWith("ok: ")
        .contains("as grace runs with them", "JOSHUA_SSH_AUTHORIZED_KEYS", "JOSHUA_MODEL_PROVIDER");
    assertThat(found(doctor, "model"))
        .containsExactly("left_out: grace keeps the key to itself; set it here, too -> ");
    assertThat(environment.run("at", "grace", "mad-config", "--set").out())
        .contains("ssh-authorized-keys", "model-api-key", "***")
        .doesNotContain("scaled", "default");
  }

  @Test
  void aFrozenRedisIsNamedByTheDoctorAndByEachMad() throws Exception {
    GroupUnderTest groupUnderTest = environment.up();
    long redis = groupUnderTest.redis().pid();
    UnixSignals.send("STOP", redis);
    try {
      ProgramRun doctor = environment.run("doctor", "--quick", "-o", "json");
      assertThat(doctor.exitStatus()).isEqualTo(1);
      assertThat(found(doctor, "redis"))
          .first()
          .asString()
          .startsWith(
              "bad: Redis at 127.0.0.1:%d can't be reached (no answer in time)"
                  .formatted(groupUnderTest.redisPort()));
      assertThat(found(doctor, "grace"))
          .first()
          .asString()
          .startsWith("bad: It isn't ready: bus: ");
    } finally {
      UnixSignals.send("CONT", redis);
    }
  }

  @Test
  void aDiskWithoutRoomIsBad() throws Exception {
    Path small = Files.createDirectory(environment.path().resolve("small"));
    List<String> by = new ArrayList<>(ownMounts());
    by.addAll(
        List.of(
            "sh", "-ec", "mount -t tmpfs -o size=12m none \"$0\"; exec \"$@\"", small.toString()));
    ProgramRun doctor =
        environment.start(by, "JOSHUA_DATA_DIR=" + small.resolve("data"), "doctor", "-o", "json");

    assertThat(doctor.exitStatus()).isEqualTo(1);
    assertThat(found(doctor, "disk"))
        .containsExactly(
            "bad: 12 MiB of room on none (tmpfs); soon nothing can be kept -> Make room, at least 1"
                + " GiB, or set JOSHUA_DATA_DIR to a larger disk.");
  }

  /** The words that begin a shell with mounts of its own. */
  private static List<String> ownMounts() throws InterruptedException {
    for (List<String> way : OWN_MOUNTS) {
      List<String> trial = new ArrayList<>(way);
      trial.add("true");
      try {
        if (new ProcessBuilder(trial).start().waitFor() == 0) {
          return way;
        }
      } catch (IOException e) {
        // There is no such program.
      }
    }
    TestRequirements.thing(
        false, "needs unshare with user namespaces, or sudo without a password (Linux)");
    return List.of();
  }
}
