package joshua.app.bridge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The process that started this one; where that is a shell, which may run this command alone, what
 * started the shell, too. Init is nobody's client; in a container there is none.
 */
final class ParentProcess {
  private static final Set<String> SHELLS = Set.of("sh", "dash", "bash", "zsh", "ash", "busybox");

  /** The launcher's, which may have ended before this one began. */
  private final boolean isOrphan =
      ProcessHandle.of(Long.getLong("joshua.parent", ProcessHandle.current().pid())).isEmpty();

  private final List<ProcessHandle> atStart = now();

  private static List<ProcessHandle> now() {
    List<ProcessHandle> parents = new ArrayList<>();
    boolean more = true;
    for (var each = ProcessHandle.current().parent();
        more;
        each = each.flatMap(ProcessHandle::parent)) {
      each.filter(parent -> parent.pid() > 1).ifPresent(parents::add);
      more = each.filter(ParentProcess::isShell).isPresent();
    }
    return parents;
  }

  private static boolean isShell(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(command -> Path.of(command).getFileName().toString())
        .filter(SHELLS::contains)
        .isPresent();
  }

  boolean hasEnded() {
    return isOrphan || (!atStart.isEmpty() && !atStart.equals(now()));
  }
}
