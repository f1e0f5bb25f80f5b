package joshua.app.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.kernel.PrivateFile;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import joshua.state.Database;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code backup}: copies what services keep, also while they run. */
@Command(
    name = "backup",
    description = "Copies what services keep into a directory, also while they run.")
public final class BackupCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private DataDirectoryOption data;

  @Parameters(paramLabel = "DIRECTORY", description = "Where to; made if it isn't there.")
  private Path directory;

  private final List<ServiceDescriptor<?>> services;

  public BackupCommand(List<ServiceDescriptor<?>> services) {
    this.services = services;
  }

  @Override
  public Integer call() throws IOException {
    PrivateFile.createDirectories(directory);
    Map<String, Path> copies = new LinkedHashMap<>();
    try {
      for (ServiceDescriptor<?> service : services) {
        Path file = service.database(data.dataDirectory());
        if (Files.exists(file)) {
          Path copy = directory.resolve(file.getFileName());
          Database.backup(file, copy);
          copies.put(service.name(), copy);
        }
      }
    } catch (IOException e) {
      for (Path copy : copies.values()) {
        Files.delete(copy); // or it would be restored as if it were all
      }
      throw e;
    }
    copies.forEach((service, copy) -> out().println("%s: %s".formatted(service, copy)));
    return ExitStatus.OK;
  }
}
