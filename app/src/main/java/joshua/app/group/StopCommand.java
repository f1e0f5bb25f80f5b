package joshua.app.group;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.ssh.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code stop}: ends the group that runs. */
@Command(name = "stop", description = "Stops the group.")
public final class StopCommand extends ConsoleCommand implements Callable<Integer> {
  private static final long WITHIN_SECONDS = 15;

  @Mixin private DataDirectoryOption data;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<RunFile> run = RunFile.read(data.dataDirectory());
    if (run.isEmpty()) {
      out().println("No group runs in %s.".formatted(data.dataDirectory()));
      return ExitStatus.OK;
    }
    run.get().process().ifPresent(ProcessHandle::destroy);
    try {
      // Its directory is free when it has closed everything; its process may take a little longer.
      DataDirectory.free(data.dataDirectory()).get(WITHIN_SECONDS, TimeUnit.SECONDS);
      out().println("Stopped process %d.".formatted(run.get().pid()));
      return ExitStatus.OK;
    } catch (TimeoutException | ExecutionException e) {
      err()
          .println(
              "Process %d hasn't ended within %d s; its log may tell why. kill -9 %d ends it."
                  .formatted(run.get().pid(), WITHIN_SECONDS, run.get().pid()));
      return ExitStatus.FAILED;
    }
  }
}
