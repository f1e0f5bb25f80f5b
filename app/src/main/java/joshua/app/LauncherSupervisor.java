package joshua.app;

import java.util.Optional;

/**
 * The launcher that waits for this process, passes signals on to it, and restarts it after a
 * failure. It announces itself by system properties.
 */
final class LauncherSupervisor {
  /** The launcher's process id. */
  private static final String PROCESS = "joshua.supervisor";

  /** Set if the launcher has restarted the group. */
  private static final String RESTARTED = "joshua.restarted";

  private LauncherSupervisor() {}

  static boolean isThere() {
    return Long.getLong(PROCESS) != null;
  }

  /** Whether a process before this one had the same task. */
  static boolean hasRestarted() {
    return Boolean.getBoolean(RESTARTED);
  }

  /** Runs {@code then} when the launcher ends, even if it has ended already. */
  static void onEnd(Runnable then) {
    Long pid = Long.getLong(PROCESS);
    if (pid == null) {
      return;
    }
    Optional<ProcessHandle> process =
        ProcessHandle.current().parent().filter(parent -> parent.pid() == pid);
    if (process.isPresent()) {
      var _ = process.get().onExit().thenRun(then);
    } else {
      then.run();
    }
  }
}
