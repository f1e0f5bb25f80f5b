package joshua.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Settings;
import joshua.state.BackupFailed;
import joshua.state.Restore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code joshua restore}: puts backups in the place of the databases (+DP-06). */
@Command(
    name = "restore",
    description = "Put the backups of a directory in the place of the databases.",
    footer = {
      "",
      "Stop the group first. What is replaced is kept beside. Example:",
      "  joshua restore /mnt/backups/today"
    })
final class RestoreCommand implements Subcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "Where joshua backup has put them.")
  private @Nullable Path directory;

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    if (directory == null) {
      throw new Misuse(List.of("DIRECTORY is missing: joshua restore DIRECTORY"));
    }
    Path source = around.workingDirectory().resolve(directory);
    List<KnownStore> stores =
        KnownStore.all().stream()
            .filter(store -> Files.exists(source.resolve(store.fileName())))
            .toList();
    if (stores.isEmpty()) {
      throw new Unavailable(
          "There is no backup in %s: joshua backup makes %s there."
              .formatted(source, KnownStore.FIEDLER.fileName()));
    }
    for (KnownStore store : stores) {
      Path file = store.file(settings);
      try {
        Optional<Path> kept =
            Restore.restore(source.resolve(store.fileName()), file, store.migrations());
        around.out().printf("%s restored%n", file);
        kept.ifPresent(aside -> around.out().printf("%s is what was there before%n", aside));
      } catch (BackupFailed e) {
        throw new Unavailable(String.valueOf(e.getMessage()), e);
      }
    }
    return 0;
  }
}
