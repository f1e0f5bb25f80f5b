package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.stream.Stream;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command of the README as it is, in order, on a copy of the project. Like its reader it
 * takes ports 8000 to 8002, and leaves out commands that need a missing program.
 */
class ReadmeTest {
  private static final long SECONDS = 120;
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  @TempDir static Path temp;
  private final List<Process> background = new ArrayList<>();

  @TestFactory
  Stream<DynamicTest> everyCommandRuns() throws Exception {
    TestRequirements.thing(
        free(8000) && free(8001) && free(8002), "needs TCP ports 8000 to 8002, as the README does");
    Path copy = copyOfTheHouse();
    Stream<DynamicTest> commands =
        MarkdownCommands.in(MarkdownFile.read(ProjectFiles.ROOT.resolve("README.md"))).stream()
            .map(command -> dynamicTest(command.script(), () -> run(command, copy)));
    return Stream.concat(
        commands, Stream.of(dynamicTest("all that run in background end", this::endWell)));
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private void run(MarkdownCommands.Command command, Path copy) throws Exception {
    command
        .needs()
        .ifPresent(program -> TestRequirements.program(program, "which the README uses"));
    if (command.background()) {
      startInBackground(command, copy);
    } else {
      runToTheEnd(command, copy);
    }
  }

  private void endWell() throws Exception {
    for (Process process : background.reversed()) {
      stop(process);
      assertThat(process.exitValue()).isIn(0, ENDED_BY_SIGTERM);
    }
  }

  @AfterEach
  void stopEverything() throws Exception {
    for (Process process : background.reversed()) {
      stop(process);
    }
  }

  private void runToTheEnd(MarkdownCommands.Command command, Path directory) throws Exception {
    Path out = Files.createTempFile(temp, "out", "");
    Process process =
        shell(command, directory).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    stop(process);
    String printed = ProjectFiles.read(out);
    String where = "README.md:%d: %s%n%s".formatted(command.line(), command.script(), printed);
    assertThat(ended).as("ends: " + where).isTrue();
    assertThat(process.exitValue()).as(where).isZero();
    assertThat(command.fault(printed)).as(where).isEmpty();
  }

  private void startInBackground(MarkdownCommands.Command command, Path directory)
      throws Exception {
    Process process = shell(command, directory).redirectErrorStream(true).start();
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

  /**
   * A background block is one command, which replaces the shell, so that it receives the signal.
   */
  private static ProcessBuilder shell(MarkdownCommands.Command command, Path directory) {
    String script = command.background() ? "exec env " + command.script() : command.script();
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

  /** The files of a clone, and of a build, so that nothing has to be built again. */
  private Path copyOfTheHouse() throws IOException {
    Path copy = temp.resolve("joshua");
    List<Path> files = new ArrayList<>(ProjectFiles.files(ProjectFiles.ROOT, file -> true));
    Path built = ProjectFiles.ROOT.resolve("app/target");
    files.add(built.resolve("joshua.jar"));
    files.addAll(ProjectFiles.files(built.resolve("lib"), file -> true));
    for (Path file : files) {
      Path target = copy.resolve(ProjectFiles.ROOT.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    }
    Path stamp = Files.createDirectories(copy.resolve("target/launcher")).resolve("built");
    Files.writeString(stamp, "");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now()));
    return copy;
  }
}
