package joshua.app.group;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.ssh.ExitStatus;
import joshua.ssh.LocalSocketClient;
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
    out().print(whatWaits(run.get()));
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

  /** What will be lost, if the relay tells that in time; the stop doesn't depend on it. */
  private static String whatWaits(RunFile run) {
    return CompletableFuture.supplyAsync(
            () -> {
              var note = new ByteArrayOutputStream();
              try {
                int status =
                    LocalSocketClient.run(
                        Path.of(run.socket()),
                        "grace",
                        List.of("clients", "-o", "json"),
                        0,
                        OutputStream.nullOutputStream(),
                        note);
                return status == ExitStatus.OK ? note.toString(StandardCharsets.UTF_8) : "";
              } catch (IOException e) {
                return ""; // it is ending already
              }
            })
        .completeOnTimeout(
            "The relay doesn't say whether messages wait unread.\n", 2, TimeUnit.SECONDS)
        .join();
  }
}
