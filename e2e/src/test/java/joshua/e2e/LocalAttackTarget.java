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
  static AttackTarget on(Stage stage) {
    Path keys = stage.file("authorized_keys", "# who may log in\n");
    SshUser viewer = SshUser.named(stage, "viewer").allowedBy(keys, "");
    Path tokens = stage.file("tokens", AttackTokens.lines());
    Path token = stage.file("token", AttackTokens.token(AttackTokens.ADMIN) + "\n");
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
    Group group = stage.up(settings.toArray(String[]::new));
    Map<String, Integer> ports = new LinkedHashMap<>();
    AttackTarget.MADS.forEach(mad -> ports.put(mad, group.port(mad)));
    long redis = group.redis().pid();
    return new AttackTarget(
        ports,
        group.redisPort(),
        "default",
        group.password(),
        verbs(stage, viewer, ssh),
        () -> processes(group),
        () -> faults(group, redis));
  }

  private static Map<String, Long> processes(Group group) {
    Map<String, Long> processes = new LinkedHashMap<>();
    if (group.run().alive()) {
      processes.put("joshua", group.run().pid());
      redis(group).ifPresent(pid -> processes.put(GroupUnderAttack.REDIS, pid));
    }
    return processes;
  }

  /** None while it is being started again. */
  private static Optional<Long> redis(Group group) {
    try {
      return Optional.of(group.redis().pid());
    } catch (AssertionError e) {
      return Optional.empty();
    }
  }

  private static List<String> faults(Group group, long redis) {
    List<String> faults = new ArrayList<>();
    if (!group.run().alive()) {
      faults.add("The group has ended.");
    } else if (!redis(group).equals(Optional.of(redis))) {
      faults.add("Redis was started again.");
    }
    group
        .run()
        .err()
        .lines()
        .filter(LogLines::fatal)
        .limit(3)
        .forEach(line -> faults.add("The log says: " + LogLines.cut(line)));
    return faults;
  }

  private static AttackVerbs verbs(Stage stage, SshUser viewer, Map<String, Integer> ssh) {
    return new AttackVerbs() {
      @Override
      public String admin(String mad, List<String> words) {
        List<String> command = new ArrayList<>(List.of("at", mad));
        command.addAll(words);
        return stage.run(command.toArray(String[]::new)).toString();
      }

      @Override
      public String viewer(String mad, List<String> words) {
        return viewer.ssh(ssh.get(mad), words.toArray(String[]::new)).toString();
      }
    };
  }
}
