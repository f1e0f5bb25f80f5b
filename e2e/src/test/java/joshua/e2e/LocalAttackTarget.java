package joshua.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import joshua.testing.FreePort;

/** A group of this machine's processes, {@code joshua up}, with the tokens of attackers. */
final class LocalAttackTarget {
  private LocalAttackTarget() {}

  /** Starts it. */
  static AttackTarget on(TestEnvironment environment) {
    Path keys = environment.file("authorized_keys", "# who may log in\n");
    SshUser viewer = SshUser.named(environment, "viewer").allowedBy(keys, "");
    Path tokens = environment.file("tokens", AttackTokens.lines());
    Path token = environment.file("token", AttackTokens.token(AttackTokens.ADMIN) + "\n");
    tokens.toFile().setReadable(false, false);
    tokens.toFile().setReadable(true, true);
    token.toFile().setReadable(false, false);
    token.toFile().setReadable(true, true);
    List<String> settings = new ArrayList<>();
    settings.add("JOSHUA_TOKENS_FILE=" + tokens);
    settings.add("JOSHUA_SSH_AUTHORIZED_KEYS=" + keys);
    Map<String, Integer> ssh = new LinkedHashMap<>();
    for (String mad : AttackTarget.MADS) {
      ssh.put(mad, FreePort.any());
      settings.add("JOSHUA_%s_SSH_PORT=%d".formatted(mad.toUpperCase(Locale.ROOT), ssh.get(mad)));
    }
    GroupUnderTest groupUnderTest = environment.up(settings.toArray(String[]::new));
    Map<String, Integer> ports = new LinkedHashMap<>();
    AttackTarget.MADS.forEach(mad -> ports.put(mad, groupUnderTest.port(mad)));
    long redis = groupUnderTest.redis().pid();
    return new AttackTarget(
        ports,
        groupUnderTest.redisPort(),
        "default",
        groupUnderTest.password(),
        verbs(environment, viewer, ssh),
        () -> processes(groupUnderTest),
        () -> faults(groupUnderTest, redis));
  }

  private static Map<String, Long> processes(GroupUnderTest groupUnderTest) {
    Map<String, Long> processes = new LinkedHashMap<>();
    if (groupUnderTest.run().alive()) {
      processes.put("joshua", groupUnderTest.run().pid());
      redis(groupUnderTest).ifPresent(pid -> processes.put(GroupUnderAttack.REDIS, pid));
    }
    return processes;
  }

  /** Empty while it is being restarted. */
  private static Optional<Long> redis(GroupUnderTest groupUnderTest) {
    try {
      return Optional.of(groupUnderTest.redis().pid());
    } catch (AssertionError e) {
      return Optional.empty();
    }
  }

  private static List<String> faults(GroupUnderTest groupUnderTest, long redis) {
    List<String> faults = new ArrayList<>();
    if (!groupUnderTest.run().alive()) {
      faults.add("The group has ended.");
    } else if (!redis(groupUnderTest).equals(Optional.of(redis))) {
      faults.add("Redis was started again.");
    }
    groupUnderTest
        .run()
        .err()
        .lines()
        .filter(LogLines::fatal)
        .limit(3)
        .forEach(line -> faults.add("The log says: " + LogLines.cut(line)));
    return faults;
  }

  private static AttackVerbs verbs(
      TestEnvironment environment, SshUser viewer, Map<String, Integer> ssh) {
    return new AttackVerbs() {
      @Override
      public String admin(String mad, List<String> words) {
        List<String> command = new ArrayList<>(List.of("at", mad));
        command.addAll(words);
        return environment.run(command.toArray(String[]::new)).toString();
      }

      @Override
      public String viewer(String mad, List<String> words) {
        return viewer.ssh(ssh.get(mad), words.toArray(String[]::new)).toString();
      }
    };
  }
}
