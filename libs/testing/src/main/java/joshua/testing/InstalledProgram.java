package joshua.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of this machine that runs while a test needs it; its output goes to a file. */
public final class InstalledProgram implements AutoCloseable {
  private static final Duration SAYS_WITHIN = Duration.ofSeconds(20);
  private static final long ENDS_WITHIN_SECONDS = 5;

  private final Process process;
  private final Path output;

  private InstalledProgram(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts the program.
   *
   * @param directory its working directory, where its output is kept, too
   */
  public static InstalledProgram start(Path directory, Path program, String... arguments) {
    return start(directory, Map.of(), program, arguments);
  }

  /** As above, with additional environment variables. */
  public static InstalledProgram start(
      Path directory, Map<String, String> environment, Path program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile(directory, program.getFileName().toString(), ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      return new InstalledProgram(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until its output contains {@code text}. */
  public InstalledProgram awaitSaying(String text) {
    await()
        .atMost(SAYS_WITHIN)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> said().contains(text) || !process.isAlive());
    if (!said().contains(text)) {
      throw new AssertionError("it ended without saying " + text + ":\n" + said());
    }
    return this;
  }

  /** Its output so far. */
  public String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** {@code kill -9}. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Asks it to end (SIGTERM), and returns its exit status; kills it if it doesn't. */
  public int stop() {
    process.destroy();
    try {
      if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw new AssertionError("interrupted while a program was ending", e);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
