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
import joshua.testing.Needs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A process that can't go on ends at once and says why, so that whoever supervises it starts it
 * again. Each fault is real, and brought about from outside.
 */
class LastResortIT {
  private static final int OUT_OF_MEMORY = 3;
  private static final int ENDED_BY_WATCHDOG = 75;
  private static final Duration RECOVERS_WITHIN = Duration.ofSeconds(70);
  private static final Duration AT_ONCE = Duration.ofSeconds(20);
  private static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String PATIENCE_SETTING = "JOSHUA_WATCHDOG_PATIENCE=" + PATIENCE.toSeconds();

  private final Stage stage = new Stage();

  @AfterEach
  void closeStage() {
    stage.close();
  }

  @Test
  void aFullHeapEndsTheProcess() {
    Group group = stage.up();

    JvmFault.HEAP.plant(stage, group.run().pid());

    assertThat(group.run().exitStatus(AT_ONCE)).isEqualTo(OUT_OF_MEMORY);
    assertThat(group.run().err()).contains("java.lang.OutOfMemoryError: Java heap space");
  }

  @Test
  void aHeapThatIsNearlyFullIsToldByReadinessUntilItIsNot() {
    Group group = stage.up();

    JvmFault.NEARLY_FULL_HEAP.plant(stage, group.run().pid());

    // To fill a heap takes some collections of it.
    await()
        .atMost(RECOVERS_WITHIN)
        .until(() -> group.get("/readyz").body().contains("nearly full"));
    assertThat(group.get("/readyz").statusCode()).isEqualTo(503);
    JvmFault.RELEASE.plant(stage, group.run().pid());
    await().atMost(RECOVERS_WITHIN).until(() -> group.get("/readyz").statusCode() == 200);
  }

  @Test
  void directMemoryThatIsUsedUpEndsTheProcess() {
    Group group =
        stage.up(List.of("/usr/bin/env", "JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=64m"));

    JvmFault.DIRECT_MEMORY.plant(stage, group.run().pid());

    assertEndedByWatchdog(group, "direct buffer memory");
  }

  @Test
  void aThreadThatCannotBeStartedEndsTheProcess() {
    Group group = stage.up();

    JvmFault.THREAD_START.plant(stage, group.run().pid());

    assertEndedByWatchdog(group, "unable to create native thread");
  }

  @Test
  void asManyThreadsAsTheSystemAllowsEndTheProcess() throws Exception {
    Path program = Needs.program("prlimit", "apt-get install util-linux");
    Group group = stage.up(withoutRoot());
    List<String> limit = new ArrayList<>(withoutRoot());
    limit.addAll(List.of(program.toString(), "--pid", "" + group.run().pid(), "--nproc=1:1"));

    assertThat(stage.program(limit).exitStatus()).isZero();

    assertEndedByWatchdog(group, "unable to create native thread");
  }

  /** The system's limit of threads is none for root. */
  private List<String> withoutRoot() throws IOException {
    if (!System.getProperty("user.name").equals("root")) {
      return List.of();
    }
    var everybody = PosixFilePermissions.fromString("rwxrwxrwx");
    Files.setPosixFilePermissions(stage.path(), everybody);
    Files.setPosixFilePermissions(stage.scratch(), everybody);
    Path program = Needs.program("setpriv", "apt-get install util-linux");
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
    Group group = stage.up(door.by());

    JvmDebugger.at(stage, door).outOfMemory("lettuce-nioEventLoop");

    assertEndedByWatchdog(group, "OutOfMemoryError");
  }

  @Test
  void aWriterThatMeetsAnErrorWhichItCatchesEndsTheProcess() {
    JvmDebugger.Door door = JvmDebugger.Door.any();
    Group group = stage.up(door.by());

    JvmDebugger.at(stage, door)
        .outOfMemoryIn("rogers_state.db-writer", "joshua.state.Connections", "run");

    assertEndedByWatchdog(group, "OutOfMemoryError");
  }

  @Test
  void aThreadThatIsStuckIsToldByReadinessAndThenEndsTheProcess() throws Exception {
    JvmDebugger.Door door = JvmDebugger.Door.any();
    Group group = stage.up(door.by(), PATIENCE_SETTING);
    assertThat(group.get("/readyz").statusCode()).isEqualTo(200);

    JvmDebugger.at(stage, door).suspend("bus-reader");

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          HttpResponse<String> ready = group.get("/readyz");
          assertThat(ready.statusCode()).isEqualTo(503);
          assertThat(ready.body()).contains("bus-reader");
        });
    assertEndedByWatchdog(group, "bus-reader");
    assertThat(Files.readString(group.data().resolve("last-end.json"))).contains("bus-reader");
    assertThat(stage.up().run().err()).contains("bus-reader");
  }

  private static void assertEndedByWatchdog(Group group, String reason) {
    assertThat(group.run().exitStatus(AT_ONCE.plus(PATIENCE))).isEqualTo(ENDED_BY_WATCHDOG);
    assertThat(group.run().err())
        .containsPattern("joshua: ended by its watchdog: .*(?i:" + reason + ")");
  }

  @Test
  void aProcessThatWasStoppedForAWhileGoesOn() {
    Group group = stage.up("JOSHUA_WATCHDOG_PATIENCE=" + SHORTEST_PATIENCE.toSeconds());
    WsClient ann = group.client();
    ann.subscribe("ann", "mad.topic.x");

    group.run().signal("STOP");
    await()
        .pollDelay(SHORTEST_PATIENCE.multipliedBy(2))
        .atMost(SHORTEST_PATIENCE.multipliedBy(3))
        .until(() -> true);
    group.run().signal("CONT");

    assertThat(ann.send("bob", "mad.topic.x", "{}").path("status").asText()).isNotEmpty();
    await().untilAsserted(() -> assertThat(group.get("/readyz").statusCode()).isEqualTo(200));
    assertThat(group.run().terminate()).isZero();
  }
}
