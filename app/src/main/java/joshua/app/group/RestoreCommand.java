package joshua.app.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    try (DataDirectory locked = DataDirectory.open(data.dataDirectory())) {
      Map<Path, Path> backups = new LinkedHashMap<>();
      for (ServiceDescriptor<?> service : services) {
        Path file = service.database(locked.path());
        Path backup = directory.resolve(file.getFileName());
        if (Files.exists(backup)) {
          backups.put(file, backup);
        }
      }
      if (backups.isEmpty()) {
        throw new IOException("There is no backup of a service in %s.".formatted(directory));
      }
      Map<Path, Path> kept = Database.restore(backups, InstantSource.system());
      backups.forEach((file, backup) -> {
        out().println("%s: restored from %s.".formatted(file.getFileName(), backup));
        if (kept.containsKey(file)) {
          out().println("  What was there is now %s.".formatted(kept.get(file)));
        }
      });
    }
    return ExitStatus.OK;
  }
}
