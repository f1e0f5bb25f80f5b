package joshua.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.testing.UnixSignals;

/** One process of the program, with its output. */
final class ProgramRun implements AutoCloseable {
  /** For a start, while all other tests run on the same two cores. */
  private static final Duration SAYS_WITHIN = Duration.ofSeconds(60);

  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

  /** A stop takes no longer (+DP-05); after that it is a failure. */
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(12);

  private final Process process;
  private final Path out;
  private final Path err;

  private ProgramRun(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static ProgramRun start(ProcessBuilder builder, Path directory, String name) {
    Path out = directory.resolve(name + ".out");
    Path err = directory.resolve(name + ".err");
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      return new ProgramRun(process, out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Its standard output so far. */
  String out() {
    return read(out);
  }

  /** Its standard error so far: messages, and the log. */
  String err() {
    return read(err);
  }

  /** The file of {@link #err}, for reading it while it grows. */
  Path errFile() {
    return err;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ProgramRun awaitOut(String text) {
    return awaitSaying(text, out);
  }

  ProgramRun awaitErr(String text) {
    return awaitSaying(text, err);
  }

  private ProgramRun awaitSaying(String text, Path file) {
    await()
        .atMost(SAYS_WITHIN)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> read(file).contains(text) || !alive());
    if (!read(file).contains(text)) {
      throw new AssertionError("it ended without saying \"%s\":\n%s".formatted(text, this));
    }
    return this;
  }

  /** Waits for its end. */
  int exitStatus() {
    return exitStatus(ENDS_WITHIN);
  }

  int exitStatus(Duration within) {
    try {
      if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("it still runs after %s:\n%s".formatted(within, this));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** All its descendant processes. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  void signal(String name) {
    UnixSignals.send(name, pid());
  }

  /** Sends SIGTERM and waits; returns the exit status. */
  int terminate() {
    signal("TERM");
    return exitStatus(STOPS_WITHIN);
  }

  /** {@code kill -9}: of this process alone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    List<ProcessHandle> others = descendants();
    try {
      if (alive()) {
        terminate();
      }
    } finally {
      kill();
      others.forEach(ProgramRun::endSoon);
    }
  }

  /** Redis and its watchdog end by themselves; tests that need it check that. */
  private static void endSoon(ProcessHandle process) {
    try {
      process.onExit().get(STOPS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      process.destroyForcibly();
    }
  }

  @Override
  public String toString() {
    return "%s%n--- standard output%n%s--- standard error%n%s"
        .formatted(process.info().commandLine().orElse("ended"), out(), err());
  }
}
