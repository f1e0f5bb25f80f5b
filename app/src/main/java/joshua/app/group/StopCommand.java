package joshua.app.group;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.app.settings.DataDirectoryOption;
import joshua.ssh.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code stop}: ends the group that runs. */
@Command(name = "stop", description = "Stops the group.", mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {
  private static final long WITHIN_SECONDS = 15;

  @Spec private CommandSpec spec;
  @Mixin private DataDirectoryOption data;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<RunFile> run = RunFile.read(data.path());
    if (run.isEmpty()) {
      spec.commandLine().getOut().println("No group runs in %s.".formatted(data.path()));
      return ExitStatus.OK;
    }
    run.get().process().ifPresent(ProcessHandle::destroy);
    try {
      // Its directory is free when it has closed everything; its process may take a little longer.
      CompletableFuture.runAsync(() -> awaitFree(data.path()))
          .get(WITHIN_SECONDS, TimeUnit.SECONDS);
      spec.commandLine().getOut().println("Stopped process %d.".formatted(run.get().pid()));
      return ExitStatus.OK;
    } catch (TimeoutException | ExecutionException e) {
      spec.commandLine()
          .getErr()
          .println(
              "Process %d hasn't ended within %d s; its log may tell why. kill -9 %d ends it."
                  .formatted(run.get().pid(), WITHIN_SECONDS, run.get().pid()));
      return ExitStatus.FAILED;
    }
  }

  private static void awaitFree(Path directory) {
    try {
      DataDirectory.awaitFree(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
