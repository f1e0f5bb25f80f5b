package joshua.e2e;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;

/** The observations of a group under attack: a table to read, and the same as JSON. */
final class AttackReport {
  private static final Duration IN_TIME = Duration.ofMillis(50);
  private static final int SLOWER = 3;
  private static final double PERCENT = 99;

  /**
   * The latency that is judged if there are fewer than {@link #MANY} calls, whose slowest hundredth
   * is only a few.
   */
  private static final double PERCENT_OF_FEW = 95;

  private static final int MANY = 500;

  /** A client with fewer calls counts as not served. */
  private static final int CALLS = 20;

  /**
   * A measured period.
   *
   * @param callers how long the calls of each client took, by its name
   * @param elsewhere how long calls to an undisturbed group took in the same period
   */
  private record Phase(
      String name,
      Map<String, WellBehavedCaller.Timing> callers,
      WellBehavedCaller.Timing elsewhere) {}

  private final boolean timed;
  private final List<Phase> phases = new ArrayList<>();
  private final Map<String, OutcomeCounts> outcomes = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final Map<String, Map<String, ProcessReading>> readings = new LinkedHashMap<>();

  AttackReport(boolean timed) {
    this.timed = timed;
  }

  /** The first period, in which nothing was done to the group. */
  void phase(
      String name,
      Map<String, WellBehavedCaller.Timing> callers,
      WellBehavedCaller.Timing elsewhere) {
    phases.add(new Phase(name, callers, elsewhere));
    callers.forEach((caller, timing) -> {
      if (timing.calls() < CALLS) {
        fault("%s made %d calls during %s.".formatted(caller, timing.calls(), name));
      } else if (timed && phases.size() > 1) {
        judge(name, caller, timing, limit(elsewhere));
      }
    });
  }

  private void judge(String name, String caller, WellBehavedCaller.Timing timing, Duration limit) {
    double percent = timing.calls() < MANY ? PERCENT_OF_FEW : PERCENT;
    if (timing.within(percent).compareTo(limit) > 0) {
      fault(
          "%s waited %.0f ms (p%.0f) during %s; %.0f ms are allowed."
              .formatted(caller, millis(timing.within(percent)), percent, name, millis(limit)));
    }
  }

  /** On a machine that is busy with other things, calls elsewhere are slow as well. */
  private Duration limit(WellBehavedCaller.Timing elsewhere) {
    Duration slowest = IN_TIME;
    for (WellBehavedCaller.Timing one : List.of(phases.getFirst().elsewhere(), elsewhere)) {
      if (one.calls() > 0) {
        Duration allowed = one.within(PERCENT).multipliedBy(SLOWER);
        slowest = allowed.compareTo(slowest) > 0 ? allowed : slowest;
      }
    }
    return slowest;
  }

  void outcomes(String attack, OutcomeCounts counts) {
    outcomes.put(attack, counts);
  }

  /** What processes held: before, at most, and after. */
  void resources(String when, Map<String, ProcessReading> held) {
    readings.put(when, held);
  }

  /** Adds a sentence about what went wrong, once. */
  void fault(String sentence) {
    if (!faults.contains(sentence)) {
      faults.add(sentence);
    }
  }

  void faults(List<String> sentences) {
    sentences.forEach(this::fault);
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%-18s %-14s %7s %9s %9s %9s %12s%n"
            .formatted("phase", "caller", "calls", "p50 ms", "p99 ms", "most ms", "allowed ms"));
    for (Phase phase : phases) {
      phase.callers().forEach((caller, timing) -> text.append(row(phase, caller, timing)));
      text.append(row(phase, "(elsewhere)", phase.elsewhere()));
    }
    text.append("%n".formatted());
    outcomes.forEach((attack, counts) -> text.append("%s: %s%n".formatted(attack, counts)));
    text.append("%n".formatted());
    readings.forEach((when, held) ->
        held.forEach(
            (process, reading) -> text.append("%-7s %-8s %s%n".formatted(when, process, reading))));
    text.append(faults.isEmpty() ? "%nno faults%n".formatted() : "%nfaults:%n".formatted());
    faults.forEach(fault -> text.append("- ").append(fault).append("%n".formatted()));
    return text.toString();
  }

  private String row(Phase phase, String caller, WellBehavedCaller.Timing timing) {
    boolean any = timing.calls() > 0;
    return "%-18s %-14s %7d %9.1f %9.1f %9.1f %12.0f%n"
        .formatted(
            phase.name(),
            caller,
            timing.calls(),
            any ? millis(timing.within(50)) : 0,
            any ? millis(timing.within(PERCENT)) : 0,
            any ? millis(timing.within(100)) : 0,
            millis(limit(phase.elsewhere())));
  }

  /** The same for programs. */
  ObjectNode json() {
    ObjectNode all = Json.object();
    var list = all.putArray("phases");
    for (Phase phase : phases) {
      ObjectNode one = list.addObject().put("name", phase.name());
      one.put("allowed_p99_ms", millis(limit(phase.elsewhere())));
      ObjectNode callers = one.putObject("callers");
      phase.callers().forEach((caller, timing) -> put(callers.putObject(caller), timing));
      put(one.putObject("elsewhere"), phase.elsewhere());
    }
    ObjectNode attacks = all.putObject("attacks");
    outcomes.forEach((attack, counts) -> {
      ObjectNode kinds = attacks.putObject(attack);
      counts.sums().forEach(kinds::put);
    });
    ObjectNode resources = all.putObject("resources");
    readings.forEach((when, held) -> {
      ObjectNode processes = resources.putObject(when);
      held.forEach((process, reading) ->
          processes
              .putObject(process)
              .put("resident_mib", reading.residentMebibytes())
              .put("reachable_mib", reading.heapMebibytes())
              .put("threads", reading.threads())
              .put("virtual_threads", reading.virtualThreads())
              .put("files", reading.files()));
    });
    var found = all.put("passed", faults.isEmpty()).putArray("faults");
    faults.forEach(found::add);
    return all;
  }

  private static void put(ObjectNode node, WellBehavedCaller.Timing timing) {
    node.put("calls", timing.calls());
    if (timing.calls() > 0) {
      node.put("p50_ms", millis(timing.within(50)));
      node.put("p99_ms", millis(timing.within(PERCENT)));
      node.put("most_ms", millis(timing.within(100)));
    }
  }
}
