package joshua.e2e;

import java.time.Duration;
import java.util.List;

/**
 * The durations and the sizes of an attack run.
 *
 * @param quiet how long callers are measured before anything is done to the group
 * @param alone how long each attack runs by itself, one after the other
 * @param together how long all of them run at once, after that
 * @param rest how long the group has at most, after the last, to return to its earlier state
 * @param timed whether a long wait of a well-behaved client is a fault
 * @param scale 1 for the sizes that the attacks are described with
 * @param only the names of the attacks; all of them if there are none
 */
record AttackPlan(
    Duration quiet,
    Duration alone,
    Duration together,
    Duration rest,
    boolean timed,
    double scale,
    List<String> only) {
  private static final int ATTACKS = 8;

  /** The minutes of attacks: half of them one after the other, half of them all at once. */
  static AttackPlan minutes(double minutes, List<String> only) {
    int attacks = only.isEmpty() ? ATTACKS : only.size();
    Duration all = Duration.ofMillis((long) (minutes * 60_000));
    Duration together = attacks == 1 ? Duration.ZERO : all.dividedBy(2);
    return new AttackPlan(
        Duration.ofSeconds(20),
        all.minus(together).dividedBy(attacks),
        together,
        Duration.ofSeconds(60),
        true,
        1,
        only);
  }

  /** The plan that runs with the tests. */
  static AttackPlan brief() {
    return new AttackPlan(
        Duration.ofSeconds(6),
        Duration.ofSeconds(6),
        Duration.ofSeconds(12),
        Duration.ofSeconds(60),
        true,
        0.25,
        List.of());
  }

  /** The same, where there is no undisturbed group of its kind to compare with. */
  AttackPlan untimed() {
    return new AttackPlan(quiet, alone, together, rest, false, scale, only);
  }

  /** Every attack that was requested. */
  List<HostileAttack> attacks(AttackTarget target) {
    List<HostileAttack> all =
        List.of(
            new ParsedTreesAttack(target),
            new OldSessionsAttack(target),
            new SubscriptionsAttack(target),
            new FullLimitsAttack(target),
            new RedisBuffersAttack(target),
            new HalfRequestsAttack(target),
            new GreedyPollsAttack(target),
            new PryingViewerAttack(target));
    List<String> names = all.stream().map(HostileAttack::name).toList();
    only.stream()
        .filter(name -> !names.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new IllegalArgumentException(
              "\"%s\" is no attack; there are %s".formatted(name, names));
        });
    return all.stream().filter(one -> only.isEmpty() || only.contains(one.name())).toList();
  }
}
