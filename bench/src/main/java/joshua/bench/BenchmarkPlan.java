package joshua.bench;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import joshua.kernel.TimedWait;

/**
 * The scenarios to run, how often, and within which limits.
 *
 * @param warmUpRounds rounds before those that count
 */
record BenchmarkPlan(int rounds, int warmUpRounds, List<PlannedScenario> parts) {
  private static final int MOST_SENDS = 200_000;
  private static final int MOST_TURNS = 50_000;
  private static final int MOST_TASKS = 20_000;
  private static final int MOST_MESSAGES = 2_000_000;

  BenchmarkPlan {
    parts = List.copyOf(parts);
    if (rounds < 1 || parts.isEmpty()) {
      throw new IllegalArgumentException("a plan has a round and a scenario");
    }
  }

  /** Seven seconds per scenario; a run of two builds with five rounds takes eight minutes. */
  static BenchmarkPlan whole(int rounds, TimedWait timedWait) {
    return new BenchmarkPlan(
        rounds, 1, parts(Duration.ofSeconds(2), Duration.ofSeconds(5), timedWait));
  }

  /** Two seconds per scenario, and no round to warm up. */
  static BenchmarkPlan quick(int rounds, TimedWait timedWait) {
    return new BenchmarkPlan(
        rounds, 0, parts(Duration.ofMillis(500), Duration.ofMillis(1_500), timedWait));
  }

  private static List<PlannedScenario> parts(
      Duration warmUp, Duration measured, TimedWait timedWait) {
    return List.of(
        part(new WebSocketSends(timedWait), MOST_SENDS, warmUp, measured),
        part(new McpCalls(timedWait), MOST_TURNS, warmUp, measured),
        part(new TaskCompletions(timedWait), MOST_TASKS, warmUp, measured),
        part(new RogersCount(timedWait), MOST_MESSAGES, warmUp, measured));
  }

  private static PlannedScenario part(
      BenchmarkScenario scenario, int most, Duration warmUp, Duration measured) {
    return new PlannedScenario(
        scenario, new WorkLimit(most, warmUp), new WorkLimit(most, measured));
  }

  /**
   * The same plan with these scenarios only.
   *
   * @throws BenchmarkException if one doesn't exist
   */
  BenchmarkPlan only(Set<String> names) {
    List<String> known = parts.stream().map(part -> part.scenario().name()).toList();
    names.stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new BenchmarkException(
              "There is no scenario \"%s\", but %s.".formatted(name, String.join(", ", known)));
        });
    return new BenchmarkPlan(
        rounds,
        warmUpRounds,
        parts.stream().filter(part -> names.contains(part.scenario().name())).toList());
  }
}
