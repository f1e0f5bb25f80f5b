package joshua.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.TimedWait;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Attacks a group by a plan, one attack after the other and then all at once, next to well-behaved
 * clients, and checks what is left once it has rested. How busy the machine is otherwise is
 * measured by calls to another group, which isn't attacked.
 */
final class GroupUnderAttack {
  /** The name of the Redis process among those that are watched. */
  static final String REDIS = "redis";

  private static final Duration BETWEEN_CALLS = Duration.ofMillis(50);
  private static final Duration LOOKS = Duration.ofSeconds(5);

  private final TestEnvironment environment;
  private final AttackTarget target;
  private final AttackPlan plan;
  private final AttackReport report;
  private final Map<String, WellBehavedCaller> calm = new LinkedHashMap<>();
  private final WellBehavedCaller elsewhere;

  /**
   * Connects the well-behaved clients.
   *
   * @param undisturbed the port of a Grace that isn't attacked and requires no tokens
   */
  GroupUnderAttack(
      TestEnvironment environment, AttackTarget target, int undisturbed, AttackPlan plan) {
    this.environment = environment;
    this.target = target;
    this.plan = plan;
    this.report = new AttackReport(plan.timed());
    String byFrames = AttackTokens.CALM.getFirst();
    RawWeb frames = environment.add(RawWeb.to(target.grace()));
    frames.socket("/ws", AttackTokens.header(byFrames));
    calm.put(byFrames, caller(byFrames, WellBehavedCaller.frames(frames)));
    String byHttp = AttackTokens.CALM.getLast();
    RawWeb http = environment.add(RawWeb.to(target.grace()));
    calm.put(
        byHttp,
        caller(byHttp, WellBehavedCaller.http(http, request -> AttackTokens.as(byHttp, request))));
    RawWeb other = environment.add(RawWeb.to(undisturbed)).frames();
    elsewhere = caller("elsewhere", WellBehavedCaller.frames(other));
  }

  private WellBehavedCaller caller(String name, WellBehavedCaller.Transport transport) {
    return environment.add(new WellBehavedCaller(name, transport, BETWEEN_CALLS));
  }

  /** Runs the whole plan. */
  AttackReport run() throws InterruptedException {
    List<HostileAttack> attacks = plan.attacks(target);
    TimedWait.system().pause(plan.quiet());
    Map<String, ProcessReading> before = ResourceWatch.exactly(target, REDIS);
    report.resources("before", before);
    forgetTimings();
    TimedWait.system().pause(plan.quiet());
    phase("undisturbed");
    try (ResourceWatch watch = new ResourceWatch(target)) {
      for (HostileAttack attack : attacks) {
        say(attack.name());
        attack(List.of(attack), plan.alone(), attack.name());
        attack.withdraw();
      }
      if (plan.together().isPositive()) {
        say("all at once");
        attack(attacks, plan.together(), "all at once");
      }
      report.resources("most", watch.most());
      watch
          .silences()
          .forEach((mad, millis) -> {
            if (millis > Duration.ofSeconds(30).toMillis()) {
              report.fault("%s didn't answer /healthz for %d s.".formatted(mad, millis / 1000));
            }
          });
    }
    say("rest");
    for (HostileAttack attack : attacks) {
      attack.withdraw();
      report.faults(attack.faults());
    }
    calm.values().stream()
        .flatMap(one -> one.troubles().stream())
        .forEach(trouble -> report.fault(LogLines.cut(trouble)));
    report.faults(target.faults().get());
    rest(before);
    return report;
  }

  private void attack(List<HostileAttack> attacks, Duration length, String name)
      throws InterruptedException {
    forgetTimings();
    AttackWindow window = AttackWindow.of(length, plan.scale());
    List<Thread> threads = new ArrayList<>();
    for (HostileAttack attack : attacks) {
      OutcomeCounts counts = new OutcomeCounts();
      String shown = attacks.size() > 1 ? attack.name() + ", at once" : attack.name();
      report.outcomes(shown, counts);
      threads.add(
          Thread.ofVirtual()
              .name("attack-" + attack.name())
              .start(() -> {
                try {
                  HostileLanes.run(1, counts, _ -> attack.attack(window, counts));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (Thread thread : threads) {
      if (!thread.join(length.plus(Duration.ofSeconds(60)))) {
        report.fault("An attack of %s doesn't come to its end.".formatted(name));
        thread.interrupt();
      }
    }
    phase(name);
  }

  /** The calls since this was last called. */
  private Map<String, WellBehavedCaller.Timing> timings() {
    Map<String, WellBehavedCaller.Timing> timings = new LinkedHashMap<>();
    calm.forEach((name, caller) -> timings.put(name, caller.timing()));
    return timings;
  }

  /** Discards what has been measured so far. */
  private void forgetTimings() {
    timings();
    elsewhere.timing();
  }

  private void phase(String name) {
    report.phase(name, timings(), elsewhere.timing());
  }

  /** Waits until the group is as it was before, or the rest period is over. */
  private void rest(Map<String, ProcessReading> before) {
    List<Map<String, ProcessReading>> seen = new ArrayList<>();
    try {
      await()
          .atMost(plan.rest())
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOKS)
          .until(() -> {
            seen.add(ResourceWatch.exactly(target, REDIS));
            return FlatnessRule.grown(before, seen.getLast(), REDIS).isEmpty();
          });
    } catch (ConditionTimeoutException | AssertionError | java.io.UncheckedIOException e) {
      report.fault("After a rest of %d s:".formatted(plan.rest().toSeconds()));
      if (seen.isEmpty()) {
        report.fault("the group couldn't be looked at: " + e.getMessage());
      } else {
        report.faults(FlatnessRule.grown(before, seen.getLast(), REDIS));
      }
    }
    if (!seen.isEmpty()) {
      report.resources("after", seen.getLast());
    }
  }

  private static void say(String what) {
    System.out.println("- " + what);
  }
}
