package joshua.e2e;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import joshua.testing.RawRedis;

/**
 * A running group as its attackers reach it, in a process of this machine or in containers.
 *
 * @param ports of the MADs, by name
 * @param redisPort on loopback
 * @param redisUser who may publish on topics and on the broadcast
 * @param verbs how admins and viewers run its commands
 * @param processes the processes that are watched, by name; those that run now
 * @param faults what the group itself reports as gone wrong: a log line, a restart
 */
record AttackTarget(
    Map<String, Integer> ports,
    int redisPort,
    String redisUser,
    String redisPassword,
    AttackVerbs verbs,
    Supplier<Map<String, Long>> processes,
    Supplier<List<String>> faults) {
  static final List<String> MADS = List.of("grace", "fiedler", "rogers");

  int grace() {
    return ports.get("grace");
  }

  /** The port of one MAD after the other. */
  int port(int number) {
    return ports.get(MADS.get(number % MADS.size()));
  }

  /** A connection to Redis, logged in; the caller closes it. */
  RawRedis redis() {
    return RawRedis.to(redisPort, redisUser, redisPassword);
  }

  /** A client of Grace with the token of its name; the caller closes it. */
  FrameSocketClient client(String name) {
    return FrameSocketClient.to(grace(), AttackTokens.token(name));
  }
}
