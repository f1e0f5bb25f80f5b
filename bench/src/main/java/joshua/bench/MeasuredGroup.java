package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.testing.RawRedis;
import joshua.testing.TempDirectory;

/**
 * A group that runs while it is measured: {@code joshua up} of a checkout, with a Redis of its own,
 * on free ports of loopback and with a data directory that is deleted afterwards.
 */
final class MeasuredGroup implements AutoCloseable {
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final List<String> MADS = List.of("grace", "fiedler", "rogers");
  private static final List<String> PORTS =
      List.of("REDIS", "GRACE", "FIEDLER", "ROGERS", "GRACE_SSH", "FIEDLER_SSH", "ROGERS_SSH");
  private static final int LAST_WORDS = 2_000;

  private final TempDirectory directory;
  private final TimedWait timedWait;
  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private JsonNode runFile = Json.object();

  private MeasuredGroup(TempDirectory directory, Process process, TimedWait timedWait) {
    this.directory = directory;
    this.process = process;
    this.timedWait = timedWait;
  }

  /** Starts one, and returns when all its MADs are ready. */
  static MeasuredGroup start(MeasuredBuild build, TimedWait timedWait) throws InterruptedException {
    try {
      TempDirectory directory = TempDirectory.create("bench");
      MeasuredGroup group = launch(build, directory, timedWait);
      try {
        group.awaitReady();
        return group;
      } catch (RuntimeException | InterruptedException e) {
        group.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MeasuredGroup launch(
      MeasuredBuild build, TempDirectory directory, TimedWait timedWait) throws IOException {
    Path home = directory.path();
    try {
      ProcessBuilder builder =
          new ProcessBuilder(build.launcher().toString(), "up")
              .directory(home.toFile())
              .redirectErrorStream(true)
              .redirectOutput(home.resolve("group.log").toFile());
      Path scratch = Files.createDirectory(home.resolve("scratch"));
      Map<String, String> environment = builder.environment();
      environment.keySet().removeIf(name -> name.startsWith("JOSHUA_"));
      environment.putAll(MeasuredBuild.LAUNCHER);
      // Without the JVM's ahead-of-time cache: one of the builds may have one, the other not.
      environment.put("JAVA_TOOL_OPTIONS", "-XX:AOTMode=off -Djava.io.tmpdir=" + scratch);
      environment.put("JOSHUA_SETTINGS_FILE", "/dev/null");
      environment.put("JOSHUA_DATA_DIR", home.resolve("data").toString());
      environment.put("JOSHUA_SSH_AUTHORIZED_KEYS", home.resolve("no-keys").toString());
      // The rate limit isn't what is measured.
      environment.put("JOSHUA_RATE_LIMIT", "1000000");
      PORTS.forEach(port -> environment.put("JOSHUA_" + port + "_PORT", "0"));
      return new MeasuredGroup(directory, builder.start(), timedWait);
    } catch (IOException e) {
      directory.close();
      throw e;
    }
  }

  private void awaitReady() throws InterruptedException {
    long deadline = System.nanoTime() + STARTS_WITHIN.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new BenchmarkException(
            "the group was not ready within %s; it said:%n%s"
                .formatted(WorkSpan.seconds(STARTS_WITHIN), lastWords()));
      }
      timedWait.pause(POLL);
    }
  }

  private boolean isReady() throws InterruptedException {
    Path file = data().resolve("run.json");
    if (!Files.exists(file)) {
      return false;
    }
    try {
      runFile = Json.parse(Files.readAllBytes(file));
      for (String mad : MADS) {
        if (get(mad, "/readyz").statusCode() != 200) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    } catch (Json.MalformedJsonException e) {
      throw new BenchmarkException(file + " " + e.getMessage(), e);
    }
  }

  private Path data() {
    return directory.path().resolve("data");
  }

  int port(String name) {
    int port = runFile.path("ports").path(name).asInt();
    if (port == 0) {
      throw new BenchmarkException("run.json names no port of " + name + ": " + runFile);
    }
    return port;
  }

  /** A page of a MAD, for instance {@code /metrics}. */
  HttpResponse<String> get(String mad, String path) throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:%d%s".formatted(port(mad), path));
    return http.send(
        HttpRequest.newBuilder(page).timeout(WorkSpan.ANSWER_WITHIN).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  String password() {
    try {
      return Files.readString(data().resolve("redis.password")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection to the group's Redis, logged in. */
  RawRedis redis() {
    return RawRedis.to(port("redis"), password());
  }

  /**
   * Throws if the process is no longer the one that was started: if a group has ended and its
   * launcher has restarted it.
   */
  void verifyNeverEnded() {
    try {
      JsonNode now = Json.parse(Files.readAllBytes(data().resolve("run.json")));
      if (process.isAlive() && now.path("epoch").equals(runFile.path("epoch"))) {
        return;
      }
    } catch (IOException | Json.MalformedJsonException e) {
      throw new BenchmarkException("the group's run.json can't be read any more", e);
    }
    throw new BenchmarkException("the group ended meanwhile; it said:\n" + lastWords());
  }

  private String lastWords() {
    try {
      String said = Files.readString(directory.path().resolve("group.log"));
      return said.substring(Math.max(0, said.length() - LAST_WORDS));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Asks it to end, and after a while kills what is left of it. */
  private void end() {
    List<ProcessHandle> others;
    try (Stream<ProcessHandle> descendants = process.descendants()) {
      others = descendants.toList();
    }
    process.destroy();
    try {
      if (!process.waitFor(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    others.forEach(MeasuredGroup::awaitEnd);
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      process.onExit().get(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      process.destroyForcibly();
    }
  }

  /** Works on an interrupted thread as well. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    end();
    directory.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
