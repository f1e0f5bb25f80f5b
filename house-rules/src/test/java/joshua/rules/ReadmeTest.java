package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import joshua.testing.Needs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command of the README, run as it stands there, in order, on a copy of the house. */
class ReadmeTest {
  private static final long SECONDS = 120;

  @TempDir Path temp;
  private final List<Process> background = new ArrayList<>();

  @Test
  void everyCommandRuns() throws Exception {
    Path copy = copyOfTheHouse();
    for (Commands.Command command : Commands.in(Markdown.read(House.ROOT.resolve("README.md")))) {
      command.needs().ifPresent(program -> Needs.program(program, "for README.md"));
      if (command.background()) {
        startInBackground(command, copy);
      } else {
        run(command, copy);
      }
    }
    for (Process process : background.reversed()) {
      stop(process);
      assertThat(process.exitValue()).isZero();
    }
  }

  @AfterEach
  void stopEverything() throws Exception {
    for (Process process : background.reversed()) {
      stop(process);
    }
  }

  private void run(Commands.Command command, Path directory) throws Exception {
    Path out = Files.createTempFile(temp, "out", "");
    Process process =
        shell(command, directory).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    stop(process);
    String printed = House.read(out);
    String where = "README.md:%d: %s%n%s".formatted(command.line(), command.script(), printed);
    assertThat(ended).as("ends: " + where).isTrue();
    assertThat(process.exitValue()).as(where).isZero();
    assertThat(command.fault(printed)).as(where).isEmpty();
  }

  private void startInBackground(Commands.Command command, Path directory) throws Exception {
    Process process =
        shell(command, directory).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    background.add(process);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    CompletableFuture<String> firstLine = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> readAll(out, firstLine));
    assertThat(firstLine)
        .as("README.md:%d says when it runs: %s", command.line(), command.script())
        .succeedsWithin(SECONDS, TimeUnit.SECONDS);
  }

  private static void readAll(BufferedReader lines, CompletableFuture<String> firstLine) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        firstLine.complete(line);
      }
      firstLine.completeExceptionally(new IOException("it ended without a word"));
    } catch (IOException e) {
      firstLine.completeExceptionally(e);
    }
  }

  /** One command is run in the place of the shell, so that signals reach it. */
  private static ProcessBuilder shell(Commands.Command command, Path directory) {
    String script = command.background() ? "exec " + command.script() : command.script();
    ProcessBuilder builder = new ProcessBuilder("sh", "-euc", script).directory(directory.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("CI", "true");
    return builder;
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(15, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  /** What a clone has, and what a build has made, so that nothing has to be built again. */
  private Path copyOfTheHouse() throws IOException {
    Path copy = temp.resolve("joshua");
    List<Path> files = new ArrayList<>(House.files(House.ROOT, file -> true));
    Path built = House.ROOT.resolve("app/target");
    files.add(built.resolve("joshua.jar"));
    files.addAll(House.files(built.resolve("lib"), file -> true));
    for (Path file : files) {
      Path target = copy.resolve(House.ROOT.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    }
    Path stamp = Files.createDirectories(copy.resolve("target/launcher")).resolve("built");
    Files.writeString(stamp, "");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now()));
    return copy;
  }
}
