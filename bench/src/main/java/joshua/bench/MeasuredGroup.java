package joshua.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.app.Services;
import joshua.app.group.RunFile;
import joshua.testing.RedisServer;

/** A group under measurement, in a process and a directory of its own, on a given Redis. */
final class MeasuredGroup implements AutoCloseable {
  static final Path HOME = Path.of(System.getProperty("joshua.home", ".")).toAbsolutePath();

  /** The directory of measured groups. */
  static final Path TARGET = HOME.resolve("bench").resolve("target");

  /** The JVM options of Joshua. */
  static final String JVM_OPTIONS = "@" + HOME.resolve("configs").resolve("jvm.options");

  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final long POLL_INTERVAL_MS = 20;
  private static final int MAX_SETTLING_SECONDS = 60;
  private static final int SETTLED_SECONDS = 2;
  private static final double MAX_SETTLED_LOAD = 0.05;
  private static final double TICKS_PER_SECOND = 100; // of /proc/PID/stat
  private static final int USER_TIME = 11; // behind the name; that of the kernel follows

  private final Process process;
  private final Map<String, String> services;
  private final HttpClient http = HttpClient.newHttpClient();

  private MeasuredGroup(Process process, Map<String, String> services) {
    this.process = process;
    this.services = services;
  }

  /** Starts a group, and returns when it is ready. */
  static MeasuredGroup start(RedisServer redis, String... jvmOptions)
      throws IOException, InterruptedException {
    return start(redis, List.of(jvmOptions), List.of());
  }

  /** Starts a group with settings of its own. */
  static MeasuredGroup start(RedisServer redis, List<String> jvmOptions, List<String> settings)
      throws IOException, InterruptedException {
    Path directory = emptyDirectory("group");
    Path password = Files.writeString(directory.resolve("password"), redis.password());
    List<String> command = new ArrayList<>(List.of(JAVA, JVM_OPTIONS));
    command.add("-XX:SharedArchiveFile=" + HOME.resolve("target/launcher/up.jsa"));
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "-jar",
            HOME.resolve("app/target/joshua.jar").toString(),
            "up",
            "--rate-limit=1000000",
            "--grace-queue-limit=10000"));
    Services.ALL.forEach(service -> command.add("--%s-port=0".formatted(service.name())));
    command.addAll(settings);
    command.addAll(
        List.of("--redis-url", redis.url(), "--redis-password-file", password.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(directory.resolve("log").toFile()))
            .start();
    Optional<RunFile> run = Optional.empty();
    while (run.isEmpty()) {
      if (process.waitFor(POLL_INTERVAL_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The group ended: " + Files.readString(directory.resolve("log")).strip());
      }
      run = RunFile.read(directory.resolve("data"));
    }
    return new MeasuredGroup(process, run.get().services());
  }

  /** An empty directory of that name, without the databases of earlier runs. */
  static Path emptyDirectory(String name) throws IOException {
    Path directory = TARGET.resolve(name);
    if (Files.exists(directory)) {
      try (Stream<Path> before = Files.walk(directory)) {
        for (Path each : before.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    return Files.createDirectories(directory);
  }

  /** The port of Grace. */
  int port() {
    return port("grace");
  }

  int port(String service) {
    return URI.create(Objects.requireNonNull(services.get(service))).getPort();
  }

  /** A value of a service's metrics; 0 where nothing has been counted yet. */
  double metric(String service, String name) throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:%d/metrics".formatted(port(service)));
    return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  /**
   * Loads it until its compilers take less than 5 % of a processor for 2 s, or for a minute.
   * Measurements after this are "settled", those before "as started".
   *
   * @param second the load, for about a second
   */
  void settle(Rounds.Measurement<?> second) throws IOException, InterruptedException {
    int calm = 0;
    for (int i = 0; i < MAX_SETTLING_SECONDS && calm < SETTLED_SECONDS; i++) {
      long began = System.nanoTime();
      double before = compilerSeconds();
      var _ = second.measure();
      double share = (compilerSeconds() - before) * 1e9 / (System.nanoTime() - began);
      calm = share < MAX_SETTLED_LOAD ? calm + 1 : 0;
    }
  }

  /** The processor time of its JVM's compilers in seconds; 0 where that can't be read. */
  private double compilerSeconds() throws IOException {
    double ticks = 0;
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    if (Files.isDirectory(threads)) {
      try (Stream<Path> all = Files.list(threads)) {
        for (Path thread : all.toList()) {
          String stat = Files.readString(thread.resolve("stat"));
          if (stat.matches("(?s)[0-9]+ \\(C[12] CompilerThre.*")) {
            String[] fields = stat.substring(stat.lastIndexOf(")") + 2).split(" ", -1);
            ticks += Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
          }
        }
      }
    }
    return ticks / TICKS_PER_SECOND;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    http.close();
  }
}
