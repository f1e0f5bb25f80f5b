package joshua.app;

import java.util.Optional;

/**
 * The launcher that waits for this process, passes signals on to it, and starts it again when it
 * has ended by a fault. It says so by properties of the system.
 */
final class LauncherSupervisor {
  /** The launcher's process id. */
  private static final String PROCESS = "joshua.supervisor";

  /** Set where the launcher has started the group again. */
  private static final String RESTARTED = "joshua.restarted";

  private LauncherSupervisor() {}

  static boolean isThere() {
    return Long.getLong(PROCESS) != null;
  }

  /** Whether a process before this one was to do the same. */
  static boolean hasRestarted() {
    return Boolean.getBoolean(RESTARTED);
  }

  /** Does {@code then} when the launcher ends, also if it has ended already. */
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
