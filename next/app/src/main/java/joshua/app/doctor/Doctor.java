package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import joshua.app.bridge.RemoteService;
import joshua.app.group.RunFile;
import joshua.app.group.UpCommand;
import joshua.app.redis.RedisProgram;
import joshua.app.settings.CommonSettings;
import joshua.conversation.BusConnection;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTransport;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Role;
import joshua.network.TokenFile;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.ssh.LocalSocketClient;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Looks at all that a group needs, and at the group if one runs: each service says how it is, and a
 * message goes the way that a client's would.
 */
public final class Doctor {
  static final String OK = "ok";
  static final String WARNING = "warning";
  static final String PROBLEM = "problem";

  private static final long ENOUGH_SPACE = 1L << 30;
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  /** What takes nothing. */
  public record Nothing() {}

  /**
   * What was looked at, and what was found.
   *
   * @param result ok, warning or problem
   */
  public record Finding(String check, String result, String sentence) {}

  /** All that was found. */
  public record Diagnosis(String status, List<Finding> findings) {}

  private final UpCommand up;
  private final String version;
  private final Optional<String> token;
  private final List<Finding> findings = new ArrayList<>();

  private Doctor(UpCommand up, String version, Optional<String> token) {
    this.up = up;
    this.version = version;
    this.token = token;
  }

  /**
   * The doctor as a tool.
   *
   * @param up says what a group would run with
   * @param tokenFile holds the token that is shown to services
   */
  public static Tool<Nothing> tool(CommandSpec up, String version, Optional<Path> tokenFile) {
    return new Tool<>(
        "doctor",
        "Doctor",
        "Looks for what is wrong.",
        Nothing.class,
        Diagnosis.class,
        Tool.Audience.ADMIN,
        Role.ADMIN,
        ToolHints.READS,
        (input, call) ->
            call.onThreadOfItsOwn(() ->
                new ToolResult.Success(
                    new Diagnosis("success", findings(up, version, tokenFile)))));
  }

  private static List<Finding> findings(CommandSpec up, String version, Optional<Path> tokenFile)
      throws InterruptedException {
    Optional<String> token;
    try {
      up.commandLine().parseArgs();
      token = CommonSettings.secret(tokenFile.orElse(null));
    } catch (ParameterException | IOException e) {
      return List.of(new Finding("settings", PROBLEM, String.valueOf(e.getMessage())));
    }
    Doctor doctor = new Doctor((UpCommand) up.userObject(), version, token);
    doctor.examine();
    return doctor.findings;
  }

  /** Something to look at. */
  @FunctionalInterface
  private interface Check {
    /** What is to be said of it, if nothing is wrong. */
    String look() throws IOException, BusUnavailableException, InterruptedException;
  }

  /** It works, and isn't as it should be. */
  private static final class WarningException extends IOException {
    private static final long serialVersionUID = 1;

    private WarningException(String sentence) {
      super(sentence);
    }
  }

  private void check(String what, Check check) throws InterruptedException {
    try {
      findings.add(new Finding(what, OK, check.look()));
    } catch (WarningException e) {
      findings.add(new Finding(what, WARNING, String.valueOf(e.getMessage())));
    } catch (IOException | BusUnavailableException e) {
      findings.add(new Finding(what, PROBLEM, String.valueOf(e.getMessage())));
    }
  }

  private void examine() throws InterruptedException {
    CommonSettings settings = up.settings();
    check("program", () -> "Joshua %s on Java %s.".formatted(version, Runtime.version()));
    check("settings", this::settings);
    check("data", () -> data(settings.dataDirectory()));
    check("redis", this::redis);
    check("tokens", this::tokens);
    Optional<RunFile> run;
    try {
      run = RunFile.read(settings.dataDirectory());
    } catch (IOException e) {
      findings.add(new Finding("group", PROBLEM, String.valueOf(e.getMessage())));
      return;
    }
    check("group", () -> run.map(this::group).orElse("None runs here. Start one: ./joshua up"));
    if (run.isEmpty()) {
      for (Map.Entry<String, Integer> port : up.ports().entrySet()) {
        check(port.getKey(), () -> isFree(port.getKey(), port.getValue()));
      }
      return;
    }
    for (Map.Entry<String, String> service : run.get().services().entrySet()) {
      check(service.getKey(), () -> status(run.get(), service.getKey()));
    }
    String grace = run.get().services().get("grace");
    if (grace != null) {
      check("message", () -> message(grace));
    }
  }

  private String settings() throws IOException {
    List<String> problems = up.problems();
    if (!problems.isEmpty()) {
      throw new IOException(String.join(" ", problems));
    }
    return "All are known; ./joshua config shows them.";
  }

  private static String data(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return "%s isn't there yet; ./joshua up makes it.".formatted(directory);
    }
    if (!Files.isWritable(directory)) {
      throw new IOException("%s can't be written to.".formatted(directory));
    }
    isPrivate(directory, "700");
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < ENOUGH_SPACE) {
      throw new WarningException(
          "Of the disk of %s only %d MiB are free.".formatted(directory, free >> 20));
    }
    return directory + ".";
  }

  private static void isPrivate(Path path, String mode) throws IOException {
    if (Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains)) {
      throw new WarningException(
          "Others on this machine can read %s: chmod %s %s".formatted(path, mode, path));
    }
  }

  private String redis() throws IOException, BusUnavailableException, InterruptedException {
    Optional<String> url = up.settings().redisUrl();
    if (url.isPresent()) {
      RedisAddress address = RedisAddress.of(url.get(), up.settings().redisPassword());
      new BusConnection(
              RedisTransport.to(address, "joshua-doctor", Timing.CONTRACT, InstantSource.system()),
              Timing.CONTRACT)
          .close();
      return "%s can be used.".formatted(address.describe());
    }
    Optional<RedisProgram> installed = RedisProgram.installed();
    if (installed.isEmpty()) {
      throw new WarningException(
          "The bundled Redis is used, which is old. " + RedisProgram.INSTALL);
    }
    return "%s is used.".formatted(installed.get().file());
  }

  private String tokens() throws IOException {
    Optional<Path> file = up.settings().tokensFile();
    if (file.isEmpty()) {
      return "None are asked for; services listen on loopback alone.";
    }
    var _ = new TokenFile(file.get(), System::nanoTime);
    isPrivate(file.get(), "600");
    return "%s is asked of every caller.".formatted(file.get());
  }

  private String group(RunFile run) {
    return "Process %d, version %s.".formatted(run.pid(), run.version());
  }

  private String isFree(String service, int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(up.settings().bind(), port));
      return "Port %d is free.".formatted(port);
    } catch (IOException e) {
      throw new IOException(
          "Port %d can't be listened on (%s). Stop what uses it, or set JOSHUA_%s_PORT."
              .formatted(port, e.getMessage(), service.toUpperCase(Locale.ROOT)),
          e);
    }
  }

  private static String status(RunFile run, String service) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    List<String> words = List.of("mad-status", "-o", "json");
    LocalSocketClient.run(run.socket(), service, words, 0, said, said);
    JsonNode status = parsed(said.toByteArray());
    StringJoiner problems = new StringJoiner(" ");
    status.path("problems").forEach(problem -> problems.add(problem.path("sentence").asText()));
    if (!status.path("ready").asBoolean()) {
      throw new IOException(problems.toString());
    }
    return "Ready at %s.".formatted(status.path("address").asText());
  }

  private static JsonNode parsed(byte[] said) throws IOException {
    try {
      return Json.parse(said);
    } catch (MalformedJsonException e) {
      throw new IOException(
          "It says what can't be read: " + new String(said, StandardCharsets.UTF_8), e);
    }
  }

  private String message(String address) throws IOException, InterruptedException {
    if (token.isEmpty() && up.settings().tokensFile().isPresent()) {
      throw new WarningException(
          "None was sent, since that needs a token. Put one into a file: JOSHUA_TOKEN_FILE.");
    }
    new RoundTrip(new RemoteService("grace", () -> Optional.of(URI.create(address)), token)).run();
    return "One went by MCP to Grace, over the bus, and back.";
  }
}
