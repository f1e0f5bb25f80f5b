package joshua.app.bridge;

import java.util.Optional;

/** The process that started this one. Init is nobody's client; in a container there is none. */
final class ParentProcess {
  private final Optional<ProcessHandle> atStart = now().filter(parent -> parent.pid() > 1);

  private static Optional<ProcessHandle> now() {
    return ProcessHandle.current().parent();
  }

  boolean hasEnded() {
    return atStart.isPresent() && !atStart.equals(now());
  }
}
