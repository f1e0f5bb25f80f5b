package joshua.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import joshua.kernel.Json;

/** Attacks on a group for as long as requested; {@code e2e/attacks/run}. */
final class AttackRun {
  private static final String PREFIX = "joshua.attacks.";

  private AttackRun() {}

  /** Reads the properties {@code joshua.attacks.minutes, only, containers, result}. */
  public static void main(String[] arguments) throws Exception {
    double minutes = Double.parseDouble(System.getProperty(PREFIX + "minutes", "10"));
    List<String> only =
        Arrays.stream(System.getProperty(PREFIX + "only", "").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    boolean containers = Boolean.getBoolean(PREFIX + "containers");
    Path result = Path.of(System.getProperty(PREFIX + "result", "target/attacks.json"));
    boolean passed = false;
    try (TestEnvironment environment = new TestEnvironment()) {
      AttackTarget target =
          containers ? ContainerAttackTarget.on(environment) : LocalAttackTarget.on(environment);
      GroupUnderTest undisturbed =
          environment.up("JOSHUA_DATA_DIR=" + environment.path().resolve("undisturbed"));
      AttackPlan plan = AttackPlan.minutes(minutes, only);
      AttackReport report =
          new GroupUnderAttack(
                  environment, target, undisturbed.gracePort(), containers ? plan.untimed() : plan)
              .run();
      System.out.println(report);
      Files.write(result, Json.bytes(report.json()));
      System.out.println("the same as JSON: " + result.toAbsolutePath());
      passed = report.faults().isEmpty();
    } catch (AssertionError e) {
      System.out.println(e);
      passed = false;
    }
    System.exit(passed ? 0 : 1);
  }
}
