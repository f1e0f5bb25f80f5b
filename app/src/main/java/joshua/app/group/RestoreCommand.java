package joshua.app.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import joshua.state.Database;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code restore}: puts a backup in the place of what services keep, while none runs. */
@Command(
    name = "restore",
    description = "Puts a backup in the place of what services keep, which is kept beside it.")
public final class RestoreCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private DataDirectoryOption data;

  @Parameters(paramLabel = "DIRECTORY", description = "That ./joshua backup wrote to.")
  private Path directory;

  private final List<ServiceDescriptor<?>> services;

  public RestoreCommand(List<ServiceDescriptor<?>> services) {
    this.services = services;
  }

  @Override
  public Integer call() throws IOException {
    int restored = 0;
    try (DataDirectory locked = DataDirectory.open(data.dataDirectory())) {
      for (ServiceDescriptor<?> service : services) {
        Path file = service.database(locked.path());
        Path backup = directory.resolve(file.getFileName());
        if (Files.exists(backup)) {
          Optional<Path> kept = Database.restore(file, backup, InstantSource.system());
          out().println("%s: restored from %s.".formatted(service.name(), backup));
          kept.ifPresent(before -> out().println("  What was there is now %s.".formatted(before)));
          restored++;
        }
      }
    }
    if (restored == 0) {
      throw new IOException("There is no backup of a service in %s.".formatted(directory));
    }
    return ExitStatus.OK;
  }
}
