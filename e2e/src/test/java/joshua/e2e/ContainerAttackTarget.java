package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.testing.FreePort;

/** A group in containers, with the tokens of attackers, and with Redis on loopback for them. */
final class ContainerAttackTarget {
  private static final String TOKENS = "configs/secrets/clients/tokens";

  /** How often the kernel has killed, and the peak memory use; for cgroups v1 and v2. */
  private static final String MEMORY =
      "cd /sys/fs/cgroup; cat memory/memory.oom_control memory.events 2>/dev/null | grep oom_kill; "
          + "cat memory/memory.max_usage_in_bytes memory.peak 2>/dev/null | sed 's/^/peak /'";

  private ContainerAttackTarget() {}

  /** Builds and starts it. */
  static AttackTarget on(TestEnvironment environment) {
    return of(start(environment, "attacks"));
  }

  static ContainerGroup start(TestEnvironment environment, String name) {
    ContainerGroup group = environment.add(new ContainerGroup(environment, name));
    group.init();
    group
        .home()
        .append(
            "docker-compose.override.yml",
            "  redis:\n    ports: [\"127.0.0.1:%d:6379\"]\n".formatted(FreePort.any()));
    group.home().append(TOKENS, AttackTokens.lines());
    group.up();
    return group;
  }

  static AttackTarget of(ContainerGroup group) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    AttackTarget.MADS.forEach(mad -> ports.put(mad, group.port(mad)));
    String address = group.compose("port", "redis", "6379");
    Map<String, String> ids = new LinkedHashMap<>();
    ContainerGroup.ALL.forEach(service -> ids.put(service, group.container(service)));
    return new AttackTarget(
        ports,
        Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
        "guest",
        group.home().read("configs/secrets/redis-guest.password"),
        verbs(ids),
        () -> processes(ids),
        () -> faults(ids));
  }

  private static String docker(Stream<String> words) {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(Stream.of("docker"), words).toList())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes());
      process.onExit().join();
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Long> processes(Map<String, String> ids) {
    List<String> pids =
        docker(
                Stream.concat(
                    Stream.of("inspect", "--format", "{{.State.Pid}}"), ids.values().stream()))
            .lines()
            .toList();
    Map<String, Long> processes = new LinkedHashMap<>();
    for (String service : ids.keySet()) {
      long pid = Long.parseLong(pids.get(List.copyOf(ids.keySet()).indexOf(service)));
      if (pid > 0) {
        processes.put(service, pid);
      }
    }
    return processes;
  }

  private static List<String> faults(Map<String, String> ids) {
    List<String> faults = new ArrayList<>();
    ids.forEach((service, id) -> {
      JsonNode container =
          FrameSocketClient.parse(docker(Stream.of("inspect", "--format", "{{json .}}", id)));
      if (container.at("/State/OOMKilled").asBoolean()) {
        faults.add("The kernel killed the container of %s.".formatted(service));
      }
      if (container.path("RestartCount").asInt() > 0
          || !container.at("/State/Running").asBoolean()) {
        faults.add(
            "The container of %s has ended %s times; its exit status was %s."
                .formatted(
                    service, container.path("RestartCount"), container.at("/State/ExitCode")));
      }
      String memory = docker(Stream.of("exec", id, "sh", "-c", MEMORY));
      long peak = number(memory, "peak");
      long limit = container.at("/HostConfig/Memory").asLong();
      System.out.printf(
          "%-8s used %d MiB of %d at the most, the kernel killed %d%n",
          service, peak >> 20, limit >> 20, number(memory, "oom_kill"));
      if (number(memory, "oom_kill") > 0) {
        faults.add("The kernel killed a process of %s.".formatted(service));
      }
      docker(Stream.of("logs", id))
          .lines()
          .filter(LogLines::fatal)
          .limit(2)
          .forEach(
              line -> faults.add("The log of %s says: %s".formatted(service, LogLines.cut(line))));
    });
    return faults;
  }

  private static long number(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .max()
        .orElse(0);
  }

  /** SSH isn't published, so viewers have no commands here. */
  private static AttackVerbs verbs(Map<String, String> ids) {
    return new AttackVerbs() {
      @Override
      public String admin(String mad, List<String> words) {
        return docker(
            Stream.concat(
                Stream.of("exec", ids.get(mad), "java", "@/opt/joshua/verb", "at", mad),
                words.stream()));
      }

      @Override
      public String viewer(String mad, List<String> words) {
        return "";
      }
    };
  }
}
