package joshua.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.state.BackupFailedException;
import joshua.state.DatabaseRestore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code joshua restore}: replaces the databases with backups (+DP-06). */
@Command(
    name = "restore",
    description = "Put the backups of a directory in the place of the databases.",
    footer = {
      "",
      "Stop the group first. What is replaced is kept beside. JSON is a line for each. Examples:",
      "  joshua restore /mnt/backups/today",
      "  joshua restore /mnt/backups/today -o json"
    })
final class RestoreCommand implements Subcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "Where joshua backup has put them.")
  private @Nullable Path directory;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    if (directory == null) {
      throw new UsageException(List.of("DIRECTORY is missing: joshua restore DIRECTORY"));
    }
    Path source = around.workingDirectory().resolve(directory);
    List<KnownStore> stores =
        KnownStore.all().stream()
            .filter(store -> Files.exists(source.resolve(store.fileName())))
            .toList();
    if (stores.isEmpty()) {
      throw new ServiceUnavailableException(
          "There is no backup in %s: joshua backup makes %s there."
              .formatted(source, KnownStore.FIEDLER.fileName()));
    }
    for (KnownStore store : stores) {
      Path file = store.file(settings);
      tell(file, restore(source.resolve(store.fileName()), file, store, around), around);
    }
    return 0;
  }

  private static Optional<Path> restore(
      Path backup, Path file, KnownStore store, ProcessEnvironment around)
      throws ServiceUnavailableException {
    try (ProgressLine progress =
        new ProgressLine("checking and restoring " + file.getFileName(), around)) {
      return DatabaseRestore.restore(backup, file, store.migrations(), progress::show);
    } catch (BackupFailedException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private void tell(Path file, Optional<Path> kept, ProcessEnvironment around) {
    if (format.json()) {
      around
          .out()
          .println(
              Json.write(
                  Json.object()
                      .put("file", file.toString())
                      .put("kept_aside", kept.map(Path::toString).orElse(null))));
      return;
    }
    around.out().printf("%s restored%n", file);
    kept.ifPresent(aside -> around.out().printf("%s is what was there before%n", aside));
  }
}
