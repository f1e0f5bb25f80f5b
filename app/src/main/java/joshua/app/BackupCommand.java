package joshua.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.state.BackupFailedException;
import joshua.state.DatabaseBackup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code joshua backup}: copies the databases while everything runs (+DP-06). */
@Command(
    name = "backup",
    description = "Copy the databases, each as it is at one moment, and check the copies.",
    footer = {
      "",
      "The group may be running or not. JSON is a line for each copy. Examples:",
      "  joshua backup /mnt/backups/today",
      "  joshua backup /mnt/backups/today -o json"
    })
final class BackupCommand implements Subcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "Where to; it is made if need be, and holds no backup yet.")
  private @Nullable Path directory;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    if (directory == null) {
      throw new UsageException(List.of("DIRECTORY is missing: joshua backup DIRECTORY"));
    }
    Path target = around.workingDirectory().resolve(directory);
    List<KnownStore> stores =
        KnownStore.all().stream().filter(store -> Files.exists(store.file(settings))).toList();
    if (stores.isEmpty()) {
      throw new ServiceUnavailableException(
          "There is no database yet: %s isn't there. Set JOSHUA_DATA_DIR to the group's directory."
              .formatted(KnownStore.FIEDLER.file(settings)));
    }
    try {
      Files.createDirectories(target);
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "The directory %s can't be made (%s).".formatted(target, e), e);
    }
    for (KnownStore store : stores) {
      copy(store.file(settings), target.resolve(store.fileName()), around);
    }
    return 0;
  }

  private void copy(Path from, Path to, ProcessEnvironment around)
      throws IOException, ServiceUnavailableException {
    try (ProgressLine progress =
        new ProgressLine("copying and checking " + from.getFileName(), around)) {
      DatabaseBackup.make(from, to, progress::show);
    } catch (BackupFailedException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
    long bytes = Files.size(to);
    around
        .out()
        .println(
            format.json()
                ? Json.write(
                    Json.object()
                        .put("file", to.toString())
                        .put("bytes", bytes)
                        .put("checked", true))
                : "%s  %d bytes, checked".formatted(to, bytes));
  }
}
