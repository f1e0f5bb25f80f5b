package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that clients that stay within every limit exhaust neither a group's memory nor others'
 * time. Longer and in full size: {@code e2e/attacks/run}.
 */
@Tag("alone")
final class GroupAttacksIT {
  @Test
  void noAttackEndsTheGroupOrKeepsOthersWaitingOrLeavesAnythingBehind() throws Exception {
    try (TestEnvironment environment = new TestEnvironment()) {
      AttackTarget target = LocalAttackTarget.on(environment);
      GroupUnderTest undisturbed =
          environment.up("JOSHUA_DATA_DIR=" + environment.path().resolve("undisturbed"));

      AttackReport report =
          new GroupUnderAttack(environment, target, undisturbed.gracePort(), AttackPlan.brief())
              .run();

      System.out.println(report);
      assertThat(report.faults()).isEmpty();
    }
  }
}
