package joshua.e2e;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** As many subscriptions as the limits of one client allow: 1 600 clients, then 17 000 globs. */
final class SubscriptionsAttack implements HostileAttack {
  private static final int LANES = 4;
  private static final int CLIENTS = 1_600;
  private static final int GLOB_CLIENTS = 17;
  private static final int OF_ONE_CLIENT = 1_000;

  /** Fewer than a group may have in all, so that clients share them. */
  private static final int TOPICS = 40_000;

  private static final int FIRST = 1;
  private static final Duration BREATH = Duration.ofMillis(5);

  private final AttackTarget target;
  private final AtomicInteger used = new AtomicInteger(FIRST);

  SubscriptionsAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "subscriptions";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    int globs = window.scaled(GLOB_CLIENTS);
    subscribe(window, outcomes, globs, "globs", n -> i -> "mad.topic.g%d-%d-*x".formatted(n, i));
    int step = TOPICS / CLIENTS;
    subscribe(
        window,
        outcomes,
        window.scaled(CLIENTS),
        "topics",
        n -> i -> "mad.topic.many-" + (n * step + i) % TOPICS);
    window.pause(window.remaining());
  }

  private void subscribe(
      AttackWindow window,
      OutcomeCounts outcomes,
      int clients,
      String kind,
      IntFunction<IntFunction<String>> names)
      throws InterruptedException {
    int from = used.getAndAdd(clients);
    AtomicInteger next = new AtomicInteger();
    HostileLanes.run(
        LANES,
        outcomes,
        lane -> {
          try (HostileCaller caller = new HostileCaller(target.grace())) {
            for (int n = next.getAndIncrement();
                n < clients && window.open();
                n = next.getAndIncrement()) {
              String client = AttackTokens.hostile(from + n);
              outcomes.count(
                  kind
                      + ": "
                      + caller.call(client, "grace_subscribe", input(client, names.apply(n))));
              window.pause(BREATH);
            }
          }
        });
  }

  private static String input(String client, IntFunction<String> name) {
    return "{'client_id':'%s','topics':['%s']}"
        .formatted(
            client,
            IntStream.range(0, OF_ONE_CLIENT).mapToObj(name).collect(Collectors.joining("','")));
  }

  @Override
  public void withdraw() {
    HostileCaller.unsubscribe(target, FIRST, Math.min(used.get(), AttackTokens.HOSTILE));
  }
}
