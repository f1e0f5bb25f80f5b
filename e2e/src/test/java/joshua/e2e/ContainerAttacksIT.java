package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Runs the same attacks on containers, each of which has a memory limit that the kernel enforces by
 * killing.
 */
@Tag("containers")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ContainerAttacksIT {
  private static final Duration BACK_WITHIN = Duration.ofSeconds(120);

  /** Memory not bounded by a flag, in MiB; docs/operating/containers.md lists its parts. */
  private static final long BESIDE = 60 + 26 + 57 + 64;

  private static final long EMBEDDING_MODEL = 100;
  private static final List<String> BOUNDED =
      List.of("MaxHeapSize", "MaxMetaspaceSize", "ReservedCodeCacheSize", "MaxDirectMemorySize");

  private static final TestEnvironment STAGE = new TestEnvironment();
  private static ContainerGroup group;
  private static AttackTarget target;

  @BeforeAll
  static void start() {
    group = ContainerAttackTarget.start(STAGE, "attacks");
    target = ContainerAttackTarget.of(group);
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  /** First, because it checks whether any container has ended. */
  @Test
  @Order(1)
  void noAttackHasAContainerKilled() throws Exception {
    group.awaitReady();
    GroupUnderTest undisturbed = STAGE.up();

    AttackReport report =
        new GroupUnderAttack(STAGE, target, undisturbed.gracePort(), AttackPlan.brief().untimed())
            .run();

    System.out.println(report);
    assertThat(report.faults()).isEmpty();
  }

  @Test
  void everythingThatAJvmMayHoldFitsTheLimitOfItsContainer() {
    for (String mad : ContainerGroup.MADS) {
      JsonNode container = group.inspect(mad);
      String flags =
          group.docker(
              "exec",
              group.container(mad),
              "java",
              "@/opt/joshua/java.options",
              "-XX:-DisplayVMOutputToStderr",
              "-XX:+PrintFlagsFinal",
              "-version");
      long bounded = BOUNDED.stream().mapToLong(flag -> mebibytes(flags, flag)).sum();
      long limit = container.at("/HostConfig/Memory").asLong() >> 20;
      assertThat(bounded + BESIDE + (mad.equals("grace") ? 0 : EMBEDDING_MODEL))
          .as("MiB that %s may hold", mad)
          .isLessThanOrEqualTo(limit);
    }
  }

  /** A fault that no limit prevents, planted from outside; Docker does the rest. */
  @Test
  void aJvmThatIsOutOfHeapEndsAndItsContainerStartsAgain() throws Exception {
    group.awaitReady();
    JsonNode before = group.inspect("grace");
    String agent = "/tmp/agent.jar";
    group.shell(
        "docker exec -i %s sh -c 'cat >%s' <%s"
            .formatted(group.container("grace"), agent, JvmFault.agent(STAGE)));

    JvmFault.HEAP.plant(agent, before.at("/State/Pid").asLong());

    await("grace starts again")
        .atMost(BACK_WITHIN)
        .until(() -> {
          JsonNode now = group.inspect("grace").path("State");
          return now.path("Running").asBoolean()
              && !now.path("StartedAt").equals(before.at("/State/StartedAt"));
        });
    group.awaitReady();
    assertThat(group.inspect("grace").path("RestartCount").asInt())
        .isGreaterThan(before.path("RestartCount").asInt());
    assertThat(group.inspect("grace").at("/State/OOMKilled").asBoolean()).isFalse();
    FrameSocketClient herald = STAGE.add(target.client(AttackTokens.HERALD));
    herald.subscribe(AttackTokens.HERALD, "mad.topic.back");
    JsonNode sent = herald.send(AttackTokens.HERALD, "mad.topic.back", "{}");
    assertThat(herald.poll(AttackTokens.HERALD).at("/messages/0/message_id"))
        .isEqualTo(sent.path("message_id"));
  }

  private static long mebibytes(String flags, String name) {
    Matcher line = Pattern.compile("\\b%s +=\\s*(\\d+)".formatted(name)).matcher(flags);
    assertThat(line.find()).as(name).isTrue();
    return Long.parseLong(line.group(1)) >> 20;
  }
}
