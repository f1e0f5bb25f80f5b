package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.testing.TempDirectory;
import org.awaitility.Awaitility;

/**
 * The environment of one test: a directory of its own, settings that disturb no other test, and
 * every process that was started, ended with it.
 *
 * <p>Commands are written as for a shell: {@code run("JOSHUA_GRACE_PORT=1", "up")}. Unless
 * specified otherwise every port is any free one, and state is in {@link #data}.
 */
final class TestEnvironment implements AutoCloseable {
  private static final String VARIABLE = "(JOSHUA_[A-Z_]+|TZ)=.*";
  private static final List<String> PORTS =
      List.of("REDIS", "GRACE", "FIEDLER", "ROGERS", "GRACE_SSH", "FIEDLER_SSH", "ROGERS_SSH");

  static {
    // During a wait a program may have to start, on a machine that does other work as well.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
  }

  private final TempDirectory directory;
  private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
  private final AtomicInteger runs = new AtomicInteger();

  TestEnvironment() {
    try {
      directory = TempDirectory.create("e2e");
      Files.createDirectory(scratch());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return directory.path();
  }

  /** The data directory that everything uses unless specified otherwise. */
  Path data() {
    return path().resolve("data");
  }

  /** For files that programs unpack. */
  Path scratch() {
    return path().resolve("scratch");
  }

  /** Writes a file for programs to read. */
  Path file(String name, String content) {
    try {
      return Files.writeString(path().resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes {@code thing} at the end, before what was opened earlier. */
  <T extends AutoCloseable> T add(T thing) {
    open.push(thing);
    return thing;
  }

  /** Starts the program, and returns at once. */
  ProgramRun start(String... words) {
    return start(List.of(), words);
  }

  /** As {@link #start}, through another program that executes ours. */
  ProgramRun start(List<String> by, String... words) {
    int assignments = 0;
    while (assignments < words.length && words[assignments].matches(VARIABLE)) {
      assignments++;
    }
    List<String> command = new ArrayList<>(by);
    command.addAll(
        BuiltProgram.command(scratch(), Arrays.asList(words).subList(assignments, words.length)));
    ProcessBuilder builder = new ProcessBuilder(command).directory(path().toFile());
    setUp(builder.environment());
    for (String assignment : Arrays.asList(words).subList(0, assignments)) {
      String[] parts = assignment.split("=", 2);
      builder.environment().put(parts[0], parts[1]);
    }
    return add(ProgramRun.start(builder, path(), "run-" + runs.incrementAndGet()));
  }

  void setUp(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("JOSHUA_"));
    environment.put("JOSHUA_SETTINGS_FILE", "/dev/null");
    environment.put("JOSHUA_DATA_DIR", data().toString());
    environment.put("JOSHUA_SSH_AUTHORIZED_KEYS", path().resolve("ssh/authorized_keys").toString());
    PORTS.forEach(port -> environment.put("JOSHUA_" + port + "_PORT", "0"));
  }

  /** Starts a program other than ours, for instance {@code ssh}. */
  ProgramRun program(List<String> command) {
    return program(new ProcessBuilder(command).directory(path().toFile()));
  }

  /** As {@link #program(List)}, with a directory and an environment of its own. */
  ProgramRun program(ProcessBuilder builder) {
    return add(ProgramRun.start(builder, path(), "run-" + runs.incrementAndGet()));
  }

  /** Runs the program to its end. */
  ProgramRun run(String... words) {
    ProgramRun programRun = start(words);
    programRun.exitStatus();
    return programRun;
  }

  /**
   * Runs a whole group, {@code joshua up}, and returns when it can be used.
   *
   * @param assignments settings, {@code JOSHUA_…=…}
   */
  GroupUnderTest up(String... assignments) {
    return up(List.of(), assignments);
  }

  /** As {@link #up}, through another program that executes ours. */
  GroupUnderTest up(List<String> by, String... assignments) {
    List<String> words = new ArrayList<>(List.of(assignments));
    words.add("up");
    Path data =
        Arrays.stream(assignments)
            .filter(word -> word.startsWith("JOSHUA_DATA_DIR="))
            .map(word -> Path.of(word.substring(word.indexOf('=') + 1)))
            .findFirst()
            .orElse(data());
    ProgramRun programRun = start(by, words.toArray(String[]::new)).awaitOut("Stop with Ctrl-C.");
    return GroupUnderTest.of(this, programRun, data);
  }

  /** Every process whose command line names this test's directory. */
  List<String> processes() {
    return ProcessHandle.allProcesses()
        .map(process -> process.pid() + " " + process.info().commandLine().orElse(""))
        .filter(line -> line.contains(path().toString()))
        .toList();
  }

  /** Ends everything, even after a failure, which is thrown when the rest has ended. */
  @Override
  public void close() {
    AssertionError failure = null;
    for (AutoCloseable thing = open.poll(); thing != null; thing = open.poll()) {
      try {
        thing.close();
      } catch (Exception | AssertionError e) {
        failure = failure == null ? new AssertionError("the end of a test", e) : failure;
      }
    }
    directory.close();
    if (failure != null) {
      throw failure;
    }
  }
}
