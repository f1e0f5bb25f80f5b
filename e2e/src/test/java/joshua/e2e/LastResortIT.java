package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a process that can't go on ends at once and reports why, so that its supervisor
 * restarts it. Each fault is real, and caused from outside.
 */
class LastResortIT {
  private static final int OUT_OF_MEMORY = 3;
  private static final int ENDED_BY_WATCHDOG = 75;
  private static final Duration RECOVERS_WITHIN = Duration.ofSeconds(70);
  private static final Duration AT_ONCE = Duration.ofSeconds(20);
  private static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String PATIENCE_SETTING = "JOSHUA_WATCHDOG_PATIENCE=" + PATIENCE.toSeconds();

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void closeStage() {
    environment.close();
  }

  @Test
  void aFullHeapEndsTheProcess() {
    GroupUnderTest groupUnderTest = environment.up();

    JvmFault.HEAP.plant(environment, groupUnderTest.run().pid());

    assertThat(groupUnderTest.run().exitStatus(AT_ONCE)).isEqualTo(OUT_OF_MEMORY);
    assertThat(groupUnderTest.run().err()).contains("java.lang.OutOfMemoryError: Java heap space");
  }

  @Test
  void aHeapThatIsNearlyFullIsToldByReadinessUntilItIsNot() {
    GroupUnderTest groupUnderTest = environment.up();

    JvmFault.NEARLY_FULL_HEAP.plant(environment, groupUnderTest.run().pid());

    // Filling a heap takes several collections of it.
    await()
        .atMost(RECOVERS_WITHIN)
        .until(() -> groupUnderTest.get("/readyz").body().contains("nearly full"));
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(503);
    JvmFault.RELEASE.plant(environment, groupUnderTest.run().pid());
    await().atMost(RECOVERS_WITHIN).until(() -> groupUnderTest.get("/readyz").statusCode() == 200);
  }

  @Test
  void directMemoryThatIsUsedUpEndsTheProcess() {
    GroupUnderTest groupUnderTest =
        environment.up(List.of("/usr/bin/env", "JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=64m"));

    JvmFault.DIRECT_MEMORY.plant(environment, groupUnderTest.run().pid());

    assertEndedByWatchdog(groupUnderTest, "direct buffer memory");
  }

  @Test
  void aThreadThatCannotBeStartedEndsTheProcess() {
    GroupUnderTest groupUnderTest = environment.up();

    JvmFault.THREAD_START.plant(environment, groupUnderTest.run().pid());

    assertEndedByWatchdog(groupUnderTest, "unable to create native thread");
  }

  @Test
  void asManyThreadsAsTheSystemAllowsEndTheProcess() throws Exception {
    Path program = TestRequirements.program("prlimit", "apt-get install util-linux");
    GroupUnderTest groupUnderTest = environment.up(withoutRoot());
    List<String> limit = new ArrayList<>(withoutRoot());
    limit.addAll(
        List.of(program.toString(), "--pid", "" + groupUnderTest.run().pid(), "--nproc=1:1"));

    assertThat(environment.program(limit).exitStatus()).isZero();

    assertEndedByWatchdog(groupUnderTest, "unable to create native thread");
  }

  /** The system's thread limit doesn't apply to root. */
  private List<String> withoutRoot() throws IOException {
    if (!System.getProperty("user.name").equals("root")) {
      return List.of();
    }
    var everybody = PosixFilePermissions.fromString("rwxrwxrwx");
    Files.setPosixFilePermissions(environment.path(), everybody);
    Files.setPosixFilePermissions(environment.scratch(), everybody);
    Path program = TestRequirements.program("setpriv", "apt-get install util-linux");
    return List.of(
        program.toString(),
        "--reuid=54321",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override");
  }

  @Test
  void anIoThreadThatDiesEndsTheProcess() {
    JvmDebugger.Door door = JvmDebugger.Door.any();
    GroupUnderTest groupUnderTest = environment.up(door.by());

    JvmDebugger.at(environment, door).outOfMemory("lettuce-nioEventLoop");

    assertEndedByWatchdog(groupUnderTest, "OutOfMemoryError");
  }

  @Test
  void aWriterThatMeetsAnErrorWhichItCatchesEndsTheProcess() {
    JvmDebugger.Door door = JvmDebugger.Door.any();
    GroupUnderTest groupUnderTest = environment.up(door.by());

    JvmDebugger.at(environment, door)
        .outOfMemoryIn("rogers_state.db-writer", "joshua.state.DatabaseConnections", "run");

    assertEndedByWatchdog(groupUnderTest, "OutOfMemoryError");
  }

  @Test
  void aThreadThatIsStuckIsToldByReadinessAndThenEndsTheProcess() throws Exception {
    JvmDebugger.Door door = JvmDebugger.Door.any();
    GroupUnderTest groupUnderTest = environment.up(door.by(), PATIENCE_SETTING);
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200);

    JvmDebugger.at(environment, door).suspend("bus-reader");

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          HttpResponse<String> ready = groupUnderTest.get("/readyz");
          assertThat(ready.statusCode()).isEqualTo(503);
          assertThat(ready.body()).contains("bus-reader");
        });
    assertEndedByWatchdog(groupUnderTest, "bus-reader");
    assertThat(Files.readString(groupUnderTest.data().resolve("last-end.json")))
        .contains("bus-reader");
    assertThat(environment.up().run().err()).contains("bus-reader");
  }

  private static void assertEndedByWatchdog(GroupUnderTest groupUnderTest, String reason) {
    assertThat(groupUnderTest.run().exitStatus(AT_ONCE.plus(PATIENCE)))
        .isEqualTo(ENDED_BY_WATCHDOG);
    assertThat(groupUnderTest.run().err())
        .containsPattern("joshua: ended by its watchdog: .*(?i:" + reason + ")");
  }

  @Test
  void aProcessThatWasStoppedForAWhileGoesOn() {
    GroupUnderTest groupUnderTest =
        environment.up("JOSHUA_WATCHDOG_PATIENCE=" + SHORTEST_PATIENCE.toSeconds());
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("ann", "mad.topic.x");

    groupUnderTest.run().signal("STOP");
    await()
        .pollDelay(SHORTEST_PATIENCE.multipliedBy(2))
        .atMost(SHORTEST_PATIENCE.multipliedBy(3))
        .until(() -> true);
    groupUnderTest.run().signal("CONT");

    assertThat(ann.send("bob", "mad.topic.x", "{}").path("status").asText()).isNotEmpty();
    await()
        .untilAsserted(() -> assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200));
    assertThat(groupUnderTest.run().terminate()).isZero();
  }
}
