package joshua.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The only way to skip a test: because the machine lacks something. In CI ({@code CI=true}) that is
 * a failure. Elsewhere the test says so in its output and leaves the reason in {@code
 * target/left-out/*.txt}, where {@code ./joshua test} finds it.
 */
public final class TestRequirements {
  private static final Path LEFT_OUT = Path.of("target", "left-out");
  private static final long ANSWERS_WITHIN_SECONDS = 20;

  private TestRequirements() {}

  /**
   * Requires a program on the PATH.
   *
   * @param remedy how to install it, {@code apt-get install redis-server} for instance
   * @return its path
   */
  public static Path program(String name, String remedy) {
    Optional<Path> found = onPath(name);
    thing(found.isPresent(), "needs " + name + " on the PATH (" + remedy + ")");
    return found.orElseThrow();
  }

  /**
   * Requires Docker: an engine that answers, and compose.
   *
   * @return the words of the compose command
   */
  public static List<String> docker() {
    boolean answers = succeeds("docker", "version");
    thing(answers, "needs Docker, with an engine that answers (apt-get install docker.io)");
    boolean older = onPath("docker-compose").isPresent();
    thing(
        older || succeeds("docker", "compose", "version"),
        "needs docker-compose, or docker compose (apt-get install docker-compose)");
    return older ? List.of("docker-compose") : List.of("docker", "compose");
  }

  private static boolean succeeds(String... command) {
    if (onPath(command[0]).isEmpty()) {
      return false;
    }
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /**
   * Requires anything that {@code present} reports; {@code reason} says what, and how to get it.
   */
  public static void thing(boolean present, String reason) {
    String test = caller();
    thing(present, reason, test, LEFT_OUT, "true".equals(System.getenv("CI")));
  }

  static void thing(boolean present, String reason, String test, Path directory, boolean ci) {
    Path record = directory.resolve(test + ".txt");
    if (present) {
      forget(record);
      return;
    }
    if (ci) {
      throw new AssertionError("%s %s, and CI leaves no test out".formatted(test, reason));
    }
    String line = test + " was left out: it " + reason;
    System.out.println(line);
    try {
      Files.createDirectories(directory);
      Files.writeString(record, line + System.lineSeparator());
    } catch (IOException e) {
      throw new UncheckedIOException("can't record that " + line, e);
    }
    Assumptions.abort(line);
  }

  /** Clears the record of an earlier run. */
  private static void forget(Path record) {
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException("can't remove " + record, e);
    }
  }

  private static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The calling test, or else the direct caller: helpers call this, too. */
  private static String caller() {
    List<String> callers =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(frame -> !frame.getClassName().equals(TestRequirements.class.getName()))
                    .map(frame -> frame.getClassName() + "." + method(frame))
                    .toList());
    return callers.stream()
        .filter(caller -> caller.matches(".*(Test|IT)\\.[^.]*"))
        .findFirst()
        .orElse(callers.getFirst());
  }

  /** A lambda counts as the method that contains it. */
  private static String method(StackWalker.StackFrame frame) {
    return frame.getMethodName().replaceFirst("^lambda\\$(\\w+)\\$\\d+$", "$1");
  }
}
