package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import joshua.testing.FreePort;
import joshua.testing.TestRequirements;

/**
 * The group as docker-compose runs it, in a directory with the files of a clone and a build, on
 * ports of its own. Its images are kept for the next run, and replace those of the last build.
 */
final class ContainerGroup implements AutoCloseable {
  /** Where each MAD listens for admin connections, inside. */
  static final int SSH_PORT = 2222;

  static final List<String> MADS = List.of("grace", "fiedler", "rogers");
  static final List<String> ALL = List.of("redis", "grace", "fiedler", "rogers");

  /**
   * Includes building images, their caches by a start of each MAD, and other work on the machine.
   */
  private static final Duration BUILT_WITHIN = Duration.ofMinutes(8);

  private static final Duration READY_WITHIN = Duration.ofSeconds(180);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final TestEnvironment testEnvironment;
  private final List<String> compose;
  private final HouseCopy home;
  private final String project;
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /**
   * A group that doesn't run yet, without secrets.
   *
   * @param name of its project, within this clone
   */
  ContainerGroup(TestEnvironment testEnvironment, String name) {
    this.testEnvironment = testEnvironment;
    this.compose = TestRequirements.docker();
    this.home = HouseCopy.in(testEnvironment.path().resolve("joshua"));
    String clone = HexFormat.of().toHexDigits(BuiltProgram.HOME.hashCode());
    this.project = "joshua-e2e-%s-%s".formatted(clone, name);
    MADS.forEach(mad -> ports.put(mad, FreePort.any()));
    StringBuilder images = new StringBuilder("version: '3.4'\nservices:\n");
    MADS.forEach(mad -> images.append("  %s:%n    image: %s%n".formatted(mad, image(mad))));
    home.write("docker-compose.override.yml", images.toString());
  }

  HouseCopy home() {
    return home;
  }

  /** Any command in its directory, to its end. */
  ProgramRun run(Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.path().toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(MAD|JOSHUA|COMPOSE_P).*"));
    builder.environment().put("COMPOSE_PROJECT_NAME", project);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    ProgramRun programRun = testEnvironment.program(builder);
    programRun.exitStatus(BUILT_WITHIN);
    return programRun;
  }

  /** Runs a shell command line in its directory, as a user would type it; it must succeed. */
  void shell(String line) {
    String typed = line.replace("docker-compose", String.join(" ", compose));
    succeeded(run(Map.of(), List.of("sh", "-euc", typed)));
  }

  /** {@code ssh} with a key to a MAD, from another container on the group's network. */
  ProgramRun ssh(Path key, String mad, String verb) {
    Path context = testEnvironment.path().resolve("ssh-image");
    try {
      Files.createDirectories(context);
      Files.writeString(
          context.resolve("Dockerfile"),
          """
          FROM debian:bookworm-slim
          RUN apt-get update -qq && apt-get install -qq -y --no-install-recommends openssh-client
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    docker("build", "-q", "-t", "joshua-e2e-ssh", context.toString());
    List<String> command =
        List.of(
            "docker",
            "run",
            "--rm",
            "--network",
            project + "_mad-net",
            "-v",
            key + ":/key:ro",
            "joshua-e2e-ssh",
            "ssh",
            "-i",
            "/key",
            "-p",
            Integer.toString(SSH_PORT),
            "-o",
            "BatchMode=yes",
            "-o",
            "StrictHostKeyChecking=accept-new",
            "-o",
            "LogLevel=ERROR",
            "mad@" + mad,
            verb);
    return run(Map.of(), command);
  }

  /** {@code docker-compose words…}, whatever its exit status. */
  ProgramRun tryCompose(Map<String, String> environment, String... words) {
    List<String> command = new ArrayList<>(compose);
    command.addAll(List.of(words));
    return run(environment, command);
  }

  /** Runs {@code docker-compose words…}, which must succeed; returns its output. */
  String compose(String... words) {
    return compose(Map.of(), words);
  }

  String compose(Map<String, String> environment, String... words) {
    return succeeded(tryCompose(environment, words));
  }

  /** Runs {@code docker words…}, which must succeed; returns its output. */
  String docker(String... words) {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(words));
    return succeeded(run(Map.of(), command));
  }

  private static String succeeded(ProgramRun programRun) {
    if (programRun.exitStatus() != 0) {
      throw new AssertionError(programRun.toString());
    }
    return programRun.out().strip();
  }

  /** {@code ./joshua init}. */
  void init() {
    succeeded(run(Map.of(), List.of("./joshua", "init")));
    StringBuilder env = new StringBuilder("MAD_JARS=built\nMAD_ROGERS_CPUS=1\n");
    ports.forEach((mad, port) ->
        env.append("MAD_%s_PORT=%d%n".formatted(mad.toUpperCase(Locale.ROOT), port)));
    home.append(".env", env.toString());
  }

  /** Builds the images if need be, and starts everything from scratch. */
  void up() {
    // Left over from a run that was killed.
    compose("down", "-v", "--remove-orphans");
    List<String> before = imageIds();
    build();
    compose("up", "-d");
    List<String> now = imageIds();
    before.stream()
        .filter(image -> !now.contains(image))
        .forEach(image -> run(Map.of(), List.of("docker", "rmi", image)));
    awaitReady();
  }

  /**
   * Builds the images of services, all by default; one group at a time, since the next then finds
   * layers.
   */
  void build(String... services) {
    List<String> words = new ArrayList<>(List.of("build"));
    words.addAll(List.of(services));
    try (FileChannel turns =
            FileChannel.open(
                Path.of("target", "image-builds.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = turns.lock()) {
      compose(words.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> imageIds() {
    return docker("images", "-q", "--no-trunc", "--filter", "reference=" + image("*"))
        .lines()
        .toList();
  }

  /** The name of a MAD's image. */
  String image(String mad) {
    return project + "-" + mad;
  }

  /** Where a MAD is on the host. */
  int port(String mad) {
    return ports.get(mad);
  }

  /** The admin, on a socket of each of several containers of a MAD. */
  List<FrameSocketClient> adminOfEach(String mad, int containers) {
    return IntStream.rangeClosed(1, containers)
        .map(number -> port(mad, number))
        .peek(ContainerGroup::awaitReady)
        .mapToObj(port -> testEnvironment.add(FrameSocketClient.to(port, adminToken())))
        .toList();
  }

  /** Where one of several containers of a MAD is on the host, now. */
  private int port(String mad, int number) {
    int inside = 8000 + MADS.indexOf(mad);
    String address =
        compose("port", "--index", Integer.toString(number), mad, Integer.toString(inside));
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  void awaitReady() {
    MADS.forEach(mad -> awaitReady(port(mad)));
  }

  static void awaitReady(int port) {
    await("ready on " + port)
        .atMost(READY_WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> status(port, "/readyz") == 200);
  }

  /** The address by which containers reach this machine. */
  static InetAddress bridge() throws IOException {
    NetworkInterface docker = NetworkInterface.getByName("docker0");
    TestRequirements.thing(docker != null, "needs Docker's own bridge, docker0, on this machine");
    return docker.inetAddresses().filter(Inet4Address.class::isInstance).findFirst().orElseThrow();
  }

  /** The status of a page; 0 if there is no answer. */
  static int status(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  String adminToken() {
    return home.read("configs/secrets/admin.token");
  }

  /**
   * Adds one more client, an operator, and returns its token once the tokens have been read again.
   */
  String tokenFor(String client) {
    String token = "jt_of_" + client;
    home.append(
        "configs/secrets/clients/tokens", "%s %s operator%n".formatted(sha256(token), client));
    return token;
  }

  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** One more client, an operator, on a socket of a MAD, which soon knows its token. */
  FrameSocketClient client(String mad, String client) {
    String token = tokenFor(client);
    return testEnvironment.add(
        await()
            .atMost(READY_WITHIN)
            .ignoreExceptions()
            .until(() -> FrameSocketClient.to(port(mad), token), socket -> true));
  }

  /** The admin, on a socket of a MAD. */
  FrameSocketClient admin(String mad) {
    return testEnvironment.add(FrameSocketClient.to(port(mad), adminToken()));
  }

  /** The id of a service's container, running or not, the newest of several. */
  String container(String service) {
    return docker(
            "ps",
            "-a",
            "-q",
            "--no-trunc",
            "--filter",
            "label=com.docker.compose.project=" + project,
            "--filter",
            "label=com.docker.compose.service=" + service)
        .lines()
        .findFirst()
        .orElseThrow();
  }

  /** Docker's information on a service's container. */
  JsonNode inspect(String service) {
    return FrameSocketClient.parse(docker("inspect", "--format", "{{json .}}", container(service)));
  }

  /**
   * {@code kill -9} of the service's process, by another container: Docker would take its own
   * {@code kill} as a request that it stay stopped.
   */
  void kill(String service) {
    JsonNode before = inspect(service).path("State");
    assertThat(before.path("Pid").asInt()).isPositive();
    docker(
        "run",
        "--rm",
        "--pid",
        "host",
        "--user",
        "0",
        "--network",
        "none",
        "--entrypoint",
        "sh",
        "redis:7-alpine",
        "-c",
        "kill -9 " + before.path("Pid"));
    awaitNext(service, before);
  }

  /** Fills the heap of a MAD, by an agent that another container with a JDK attaches to it. */
  void fillHeap(String service) {
    JsonNode before = inspect(service).path("State");
    docker(
        "run",
        "--rm",
        "--pid",
        "container:" + container(service),
        "--user",
        home.variable("MAD_UID") + ":" + home.variable("MAD_GID"),
        "--volume",
        JvmFault.agent(testEnvironment) + ":/agent.jar:ro",
        "--entrypoint",
        "sh",
        "eclipse-temurin:25-jdk",
        "-euc",
        "cp /agent.jar /proc/1/root/tmp/ && { jcmd 1 JVMTI.agent_load /tmp/agent.jar HEAP || true; }");
    awaitNext(service, before);
  }

  private void awaitNext(String service, JsonNode before) {
    await(service + " runs again")
        .atMost(READY_WITHIN)
        .until(() -> {
          JsonNode now = inspect(service).path("State");
          return now.path("Running").asBoolean()
              && !now.path("StartedAt").equals(before.path("StartedAt"));
        });
  }

  @Override
  public void close() {
    compose("down", "-v", "--remove-orphans", "-t", "1");
  }
}
