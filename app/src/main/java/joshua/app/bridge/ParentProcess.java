package joshua.app.bridge;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The process that started this one; where that is a shell, which may run this command alone, the
 * process that started the shell, too. Init is nobody's client; in a container there is none.
 */
final class ParentProcess {
  private static final Set<String> SHELLS = Set.of("sh", "dash", "bash", "zsh", "ash", "busybox");

  private final List<ProcessHandle> atStart = now();

  private static List<ProcessHandle> now() {
    Optional<ProcessHandle> parent = ProcessHandle.current().parent();
    return Stream.of(parent, parent.filter(ParentProcess::isShell).flatMap(ProcessHandle::parent))
        .flatMap(Optional::stream)
        .filter(each -> each.pid() > 1)
        .toList();
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
    return !atStart.isEmpty() && !atStart.equals(now());
  }
}
