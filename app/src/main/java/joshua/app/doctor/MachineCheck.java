package joshua.app.doctor;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.FileBudget;

/**
 * Checks memory and open files: what the JVM may take, against what the machine or container has.
 *
 * @param heap the most that the JVM takes for objects
 * @param memory of the machine, or the container's limit
 * @param queueBytes what Grace's queues may hold, if that is set
 * @param files how a group's open files and sockets are divided; empty if the system doesn't report
 *     it
 * @param connections that one MAD serves at most
 */
public record MachineCheck(
    long heap, long memory, Optional<Long> queueBytes, Optional<FileBudget> files, int connections)
    implements HealthCheck {
  /** The heap's share: threads, code, buffers and SQLite's pages need memory besides it. */
  private static final double SHARE_FOR_THE_HEAP = 0.75;

  /** With this many per MAD, having fewer than it could serve is no reason for concern. */
  private static final int ENOUGH_CONNECTIONS = 1_000;

  /** The values of this process; the launcher gives the group the same heap. */
  public static MachineCheck ofThisProcess(Optional<Long> queueBytes, int mads, int connections) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    long memory =
        system instanceof com.sun.management.OperatingSystemMXBean known
            ? known.getTotalMemorySize()
            : Long.MAX_VALUE;
    return new MachineCheck(
        Runtime.getRuntime().maxMemory(),
        memory,
        queueBytes,
        FileBudget.ofThisProcess(mads),
        connections);
  }

  @Override
  public List<CheckFinding> look() {
    List<CheckFinding> findings = new ArrayList<>();
    findings.add(memoryFinding());
    queueBytes
        .filter(bytes -> bytes > heap / 2)
        .ifPresent(bytes ->
            findings.add(
                CheckFinding.warning(
                    "memory",
                    "Grace's queues may hold %s, more than half of the heap of %s."
                        .formatted(ByteSizes.text(bytes), ByteSizes.text(heap)),
                    "Lower JOSHUA_GRACE_QUEUE_BYTES, or raise -Xmx in configs/jvm.options.")));
    findings.add(
        files
            .map(this::filesFinding)
            .orElseGet(
                () -> CheckFinding.leftOut("open files", "this system doesn't tell the limit")));
    return findings;
  }

  private CheckFinding memoryFinding() {
    if (heap > memory * SHARE_FOR_THE_HEAP) {
      return CheckFinding.warning(
          "memory",
          "The heap may grow to %s, and there are %s for everything."
              .formatted(ByteSizes.text(heap), ByteSizes.text(memory)),
          "Lower -Xmx in configs/jvm.options, or give the machine or container more memory.");
    }
    return CheckFinding.ok(
        "memory",
        "a heap of at most %s, of %s".formatted(ByteSizes.text(heap), ByteSizes.text(memory)));
  }

  private CheckFinding filesFinding(FileBudget budget) {
    Optional<String> shortage = budget.shortage(connections);
    if (budget.connections(connections) >= Math.min(ENOUGH_CONNECTIONS, connections)) {
      return CheckFinding.ok(
          "open files", shortage.orElse("at most %d a process".formatted(budget.limit())));
    }
    return shortage
        .map(sentence ->
            CheckFinding.warning(
                "open files",
                sentence,
                "Raise the limit (ulimit -Hn, LimitNOFILE= of systemd, ulimits: of Docker) to %d or more, or have fewer clients."
                    .formatted(budget.needed(connections))))
        .orElseGet(
            () -> CheckFinding.ok("open files", "at most %d a process".formatted(budget.limit())));
  }
}
