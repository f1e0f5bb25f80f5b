package joshua.app.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.Launcher;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code install}: links the launcher into a directory of the user's PATH. */
@Command(
    name = "install",
    description = "Links joshua into your PATH, so that it runs in any directory.")
public final class InstallCommand extends ConsoleCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "Where to; without it, ~/.local/bin, or ~/bin if only that is on your PATH.")
  private @Nullable Path named;

  @Override
  public Integer call() throws IOException {
    Path launcher =
        Launcher.path().orElseThrow(() -> new IOException("There is no launcher to link to."));
    Path directory = (named == null ? usual() : named).toAbsolutePath().normalize();
    Path link = directory.resolve("joshua");
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(link)) {
      throw new IOException(
          "%s is a program of its own. Remove it, or name another directory.".formatted(link));
    }
    Files.createDirectories(directory);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, launcher);
    out().println("%s runs %s.".formatted(link, launcher));
    if (!path().contains(directory)) {
      out().println("Your PATH lacks that directory. Type this here, and add it to ~/.profile:");
      out().println("  export PATH=\"%s:$PATH\"".formatted(directory));
    }
    return ExitStatus.OK;
  }

  private static Path usual() {
    Path home = Path.of(System.getProperty("user.home"));
    Path first = home.resolve(".local").resolve("bin");
    List<Path> path = path();
    return Stream.of(first, home.resolve("bin")).filter(path::contains).findFirst().orElse(first);
  }

  private static List<Path> path() {
    return Optional.ofNullable(System.getenv("PATH")).stream()
        .flatMap(path -> Stream.of(path.split(":")))
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each).toAbsolutePath().normalize())
        .toList();
  }
}
