package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.app.Services;
import joshua.app.settings.SettingSources;
import joshua.kernel.Json;
import joshua.service.ServiceDescriptor;
import joshua.testing.Await;

/** The built program, run by its launcher in a directory of its own. */
final class Program implements AutoCloseable {
  static final Path LAUNCHER = Path.of("..", "joshua").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 120;

  /** Settings by which each port is a free one. */
  static final Map<String, String> FREE_PORTS =
      Stream.concat(
              Stream.of("redis-port"),
              Services.ALL.stream()
                  .map(ServiceDescriptor::name)
                  .flatMap(name -> Stream.of(name + "-port", name + "-ssh-port")))
          .collect(Collectors.toUnmodifiableMap(SettingSources::variable, _ -> "0"));

  private final Path launcher;
  private final Path directory;
  private final Map<String, String> environment;
  private final List<Run> running = new ArrayList<>();
  private int count;

  /**
   * A program that isn't started yet.
   *
   * @param directory where it runs, and where its {@code data} is
   * @param environment of every start, beside that of this JVM
   */
  Program(Path directory, Map<String, String> environment) {
    this(LAUNCHER, directory, environment);
  }

  /** The same, started by another launcher than the checkout's. */
  Program(Path launcher, Path directory, Map<String, String> environment) {
    this.launcher = launcher;
    this.directory = directory;
    this.environment = environment;
  }

  /** A start of the program. */
  record Run(Process process, Path out, Path err) {
    String said() {
      return text(out);
    }

    JsonNode json() {
      try {
        return Json.parse(said().strip());
      } catch (Json.MalformedJsonException e) {
        throw new AssertionError(said(), e);
      }
    }

    String complained() {
      return text(err);
    }

    private static String text(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** Waits until it has said something on either stream. */
    void awaitSaid(String text) {
      Await.until(
          "it says " + text,
          () -> {
            if (!process.isAlive() && !said().contains(text) && !complained().contains(text)) {
              throw new AssertionError("it ended: " + said() + complained());
            }
            return said().contains(text) || complained().contains(text);
          });
    }

    /** Kills it, if it still runs then. */
    void killAfter(int millis) throws InterruptedException {
      assertThat(process.waitFor(millis, TimeUnit.MILLISECONDS)).isFalse();
      process.destroyForcibly();
      assertThat(exitStatus()).isEqualTo(137);
    }

    int exitStatus() {
      try {
        return process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS).exitValue();
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("it doesn't end: " + said() + complained(), e);
      }
    }
  }

  Path data() {
    return directory.resolve("data");
  }

  /** What the group that runs tells of itself. */
  JsonNode runFile() {
    try {
      return Json.parse(Files.readAllBytes(data().resolve("run.json")));
    } catch (IOException | Json.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  /** The port of a service of the group that runs. */
  int port(String service) {
    return URI.create(runFile().at("/services/" + service).asText()).getPort();
  }

  void killGroup() {
    ProcessHandle group = ProcessHandle.of(runFile().path("pid").asLong()).orElseThrow();
    group.destroyForcibly();
    group.onExit().join();
  }

  /** Settings of a program on a Redis, whose password is in a file of this directory. */
  static Map<String, String> settings(Path directory, String redis, String password)
      throws IOException {
    Map<String, String> settings = new HashMap<>(FREE_PORTS);
    settings.put("JOSHUA_REDIS_URL", redis);
    Path file = Files.writeString(directory.resolve("password"), password);
    settings.put("JOSHUA_REDIS_PASSWORD_FILE", file.toString());
    return settings;
  }

  /** A command that is run in a directory, without settings of whoever runs the test. */
  static ProcessBuilder builder(Path directory, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("JOSHUA_"));
    return builder;
  }

  Run start(String... words) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(words));
    Path out = directory.resolve("out-" + ++count);
    Path err = directory.resolve("err-" + count);
    ProcessBuilder builder = builder(directory, command);
    builder.environment().put("JOSHUA_DATA_DIR", data().toString());
    builder.environment().putAll(environment);
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      Run run = new Run(process, out, err);
      running.add(run);
      return run;
    } catch (IOException e) {
      throw new AssertionError("the program can't be started", e);
    }
  }

  /** Runs it to its end. */
  Run run(String... words) {
    Run run = start(words);
    run.exitStatus();
    return run;
  }

  /** Ends all that it has started, a group in the background among it. */
  @Override
  public void close() {
    if (Files.exists(data().resolve("run.json"))) {
      run("stop");
    }
    for (Run run : running) {
      run.process().destroy();
      run.exitStatus();
    }
  }
}
