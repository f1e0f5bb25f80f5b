package joshua.e2e;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients of the older MCP versions whose initialize request has almost 4 MiB, and that never close
 * their sessions.
 */
final class OldSessionsAttack implements HostileAttack {
  private static final int LANES = 4;
  private static final int SESSIONS = 400;
  private static final int BYTES = 3_900_000;
  private static final Duration BEYOND = Duration.ofMillis(200);

  private final AttackTarget target;
  private final AtomicInteger last = new AtomicInteger();
  private final McpText longName = initialize("x".repeat(BYTES), "{}");
  private final McpText longCapability =
      initialize("old", "{'experimental':{'a':'%s'}}".formatted("y".repeat(BYTES)));

  OldSessionsAttack(AttackTarget target) {
    this.target = target;
  }

  private static McpText initialize(String name, String capabilities) {
    return McpText.legacy(
        1,
        "initialize",
        "'protocolVersion':'2025-11-25','capabilities':%s,'clientInfo':{'name':'%s','version':'1'}"
            .formatted(capabilities, name));
  }

  @Override
  public String name() {
    return "old sessions";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    int most = last.get() + window.scaled(SESSIONS);
    HostileLanes.run(
        LANES,
        outcomes,
        lane -> {
          try (HostileCaller caller = new HostileCaller(target.grace())) {
            while (window.open()) {
              int number = last.incrementAndGet();
              McpText request = number % 2 == 0 ? longName : longCapability;
              outcomes.count(
                  "initialize: "
                      + caller.say(AttackTokens.as(AttackTokens.viewer(number), request)));
              if (number > most) {
                window.pause(BEYOND);
              }
            }
          }
        });
  }
}
