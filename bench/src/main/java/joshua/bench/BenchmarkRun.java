package joshua.bench;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import joshua.kernel.TimedWait;

/**
 * Runs a plan: in each round every build in turn, so that a temporary disturbance of the machine
 * affects all of them; each time on a new group of its own, so that no build profits from a lucky
 * start for the whole run.
 */
final class BenchmarkRun {
  private final BenchmarkPlan plan;
  private final TimedWait timedWait;
  private final Consumer<List<ScenarioResult>> listener;

  /**
   * @param listener receives what was measured on each group, as soon as that has ended
   */
  BenchmarkRun(BenchmarkPlan plan, TimedWait timedWait, Consumer<List<ScenarioResult>> listener) {
    this.plan = plan;
    this.timedWait = timedWait;
    this.listener = listener;
  }

  /**
   * Returns all results, in the order in which they were measured.
   *
   * @throws BenchmarkException if a check of any scenario failed
   */
  List<ScenarioResult> run(List<MeasuredBuild> builds) throws InterruptedException {
    List<ScenarioResult> all = new ArrayList<>();
    for (int round = 1 - plan.warmUpRounds(); round <= plan.rounds(); round++) {
      for (MeasuredBuild build : builds) {
        List<ScenarioResult> results = measure(round, build);
        listener.accept(results);
        all.addAll(results);
      }
    }
    return all;
  }

  private List<ScenarioResult> measure(int round, MeasuredBuild build) throws InterruptedException {
    String step = "starting";
    List<ScenarioResult> results = new ArrayList<>();
    try (MeasuredGroup group = MeasuredGroup.start(build, timedWait)) {
      for (PlannedScenario part : plan.parts()) {
        step = part.scenario().name();
        part.scenario().run(group, part.warmUp(), "warm-up");
        List<BenchmarkFigure> figures = part.scenario().run(group, part.measured(), "measured");
        group.verifyNeverEnded();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        results.add(new ScenarioResult(round, build, step, figures, load, Instant.now()));
      }
    } catch (BenchmarkException e) {
      throw new BenchmarkException(
          "%s build (%s), %s, %s: %s"
              .formatted(
                  build.role(),
                  build.version(),
                  round > 0 ? "round " + round : "the round to warm up",
                  step,
                  e.getMessage()),
          e);
    }
    return results;
  }
}
