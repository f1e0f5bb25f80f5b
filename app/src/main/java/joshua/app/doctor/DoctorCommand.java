package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import joshua.app.group.RunFile;
import joshua.app.group.UpCommand;
import joshua.app.redis.RedisProgram;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.ConsoleCommand;
import joshua.conversation.BusConnection;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTransport;
import joshua.network.RemoteService;
import joshua.network.TokenFile;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import joshua.ssh.mina.AuthorizedKeys;
import joshua.ssh.mina.SshServers;
import joshua.state.Database;
import joshua.thought.model.ModelConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code doctor}: checks everything that a group needs and, if one runs, the status of its services
 * and a message's way through it.
 */
@Command(
    name = "doctor",
    description = "Looks for what is wrong: with settings, with Redis, with a group that runs.")
public final class DoctorCommand extends ConsoleCommand implements Callable<Integer> {
  private static final long MIN_FREE_BYTES = 1L << 30;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token that is shown to services.")
  private @Nullable Path tokenFile;

  private final CommandSpec upSpec;
  private final UpCommand up;
  private final List<ServiceDescriptor<?>> services;
  private final String version;
  private int problems;

  /** The command; {@code up} has the settings of a group. */
  public DoctorCommand(CommandSpec up, List<ServiceDescriptor<?>> services, String version) {
    this.services = services;
    this.upSpec = up;
    this.up = (UpCommand) up.userObject();
    this.version = version;
  }

  /** One check. */
  @FunctionalInterface
  private interface Check {
    /** The finding, if nothing is wrong. */
    String look() throws IOException, BusUnavailableException, InterruptedException;
  }

  /** A finding that isn't a problem yet. */
  private static final class WarningException extends IOException {
    private static final long serialVersionUID = 1;

    private WarningException(String sentence) {
      super(sentence);
    }
  }

  private void check(String what, Check check) throws InterruptedException {
    try {
      say("ok", what, check.look());
    } catch (WarningException e) {
      say("warning", what, String.valueOf(e.getMessage()));
    } catch (IOException | BusUnavailableException e) {
      problems++;
      say("problem", what, String.valueOf(e.getMessage()));
    }
  }

  private void say(String result, String what, String sentences) {
    String head = "%-8s %-9s ".formatted(result, what);
    for (String line : sentences.split("\n", -1)) {
      out().println(head + line);
      head = " ".repeat(head.length());
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    upSpec.commandLine().parseArgs();
    CommonSettings settings = up.settings();
    check("program", () -> "Joshua %s on Java %s.".formatted(version, Runtime.version()));
    check("settings", this::settings);
    check("data", () -> data(settings.dataDirectory()));
    for (ServiceDescriptor<?> service : services) {
      Path file = service.database(settings.dataDirectory());
      if (Files.exists(file)) {
        check(
            "state",
            () -> {
              Database.checkFully(file);
              return "%s is whole.".formatted(file);
            });
      }
    }
    for (ModelConfig model : up.models()) {
      check("model", () -> model(model));
    }
    check("redis", () -> redis(settings));
    check("tokens", () -> tokens(settings));
    check("ssh", () -> keys(settings.ssh(up.access())));
    Optional<RunFile> run = RunFile.read(settings.dataDirectory());
    if (run.isEmpty()) {
      check("group", () -> "None runs here. Start one: ./joshua up");
      for (Map.Entry<String, Integer> port : up.ports().entrySet()) {
        check(port.getKey(), () -> isFree(port.getKey(), port.getValue()));
      }
    } else {
      check("group", () -> group(run.get()));
      for (String service : run.get().services().keySet()) {
        check(service, () -> status(run.get(), service));
      }
      check("message", () -> message(run.get().services().get("grace")));
    }
    if (problems > 0) {
      err().println("Problems found: %d.".formatted(problems));
    }
    return problems == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private String settings() throws IOException {
    List<String> wrong = up.problems();
    if (!wrong.isEmpty()) {
      throw new IOException(String.join("\n", wrong));
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
    if (free < MIN_FREE_BYTES) {
      throw new WarningException(
          "Of the disk of %s only %d MiB are free.".formatted(directory, free >> 20));
    }
    return directory + ".";
  }

  private static void isPrivate(Path path, String mode) throws IOException {
    if (Files.getPosixFilePermissions(path).stream()
        .anyMatch(permission -> permission.name().matches("(GROUP|OTHERS)_(READ|WRITE)"))) {
      throw new WarningException(
          "Others on this machine can read or write %s: chmod %s %s".formatted(path, mode, path));
    }
  }

  private static String model(ModelConfig config) throws IOException, InterruptedException {
    List<String> missing = ModelList.missing(config);
    if (!missing.isEmpty()) {
      throw new WarningException(
          "%s doesn't list %s: check %sNAME, unless that is another name of a model."
              .formatted(config.server(), String.join(", ", missing), config.prefix()));
    }
    return "%s has %s.".formatted(config.server(), String.join(", ", config.names()));
  }

  private static String redis(CommonSettings settings)
      throws IOException, BusUnavailableException, InterruptedException {
    RedisAddress address = settings.redis().orElse(null);
    if (address != null) {
      new BusConnection(
              RedisTransport.to(address, "joshua-doctor", Timing.CONTRACT, InstantSource.system()),
              Timing.CONTRACT)
          .close();
      return "%s can be used.".formatted(address);
    }
    Optional<Path> installed = RedisProgram.installed();
    if (installed.isEmpty()) {
      throw new WarningException(
          "The bundled Redis is used, which is old.\n" + RedisProgram.INSTALL);
    }
    return "%s is used.".formatted(installed.get());
  }

  private String tokens(CommonSettings settings) throws IOException {
    Optional<Path> file = settings.tokensFile();
    if (file.isEmpty()) {
      return "None are asked for; services listen on loopback alone.";
    }
    var _ = new TokenFile(file.get(), up.access(), System::nanoTime);
    isPrivate(file.get(), "600");
    return "%s is asked of every caller.".formatted(file.get());
  }

  private static String keys(SshServers.Config config) throws IOException {
    AuthorizedKeys keys = AuthorizedKeys.read(config.authorizedKeys(), config.access());
    if (!keys.faults().isEmpty()) {
      throw new IOException(String.join("\n", keys.faults()));
    }
    return keys.keys().isEmpty()
        ? "No keys, so nobody can log in. Add one: ./joshua keys add FILE.pub"
        : "May log in by %s: %d.".formatted(config.authorizedKeys(), keys.keys().size());
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

  private String group(RunFile run) throws IOException {
    Optional<String> difference = run.difference(version);
    if (difference.isPresent()) {
      throw new WarningException(difference.get());
    }
    return "Process %d.".formatted(run.pid());
  }

  private static String status(RunFile run, String service) throws IOException {
    JsonNode status = run.ask(service, "mad-status");
    if (!status.path("ready").asBoolean()) {
      throw new IOException(
          String.join("\n", status.path("problems").findValuesAsText("sentence")));
    }
    List<String> remarks = status.path("remarks").findValuesAsText("sentence");
    if (!remarks.isEmpty()) {
      throw new WarningException(String.join("\n", remarks));
    }
    return "Ready at %s.".formatted(status.path("address").asText());
  }

  private String message(@Nullable String grace) throws IOException, InterruptedException {
    if (tokenFile == null && up.settings().tokensFile().isPresent()) {
      throw new WarningException(
          "None was sent, since that needs a token. Put one into a file: JOSHUA_TOKEN_FILE.");
    }
    Optional<URI> address = Optional.ofNullable(grace).map(URI::create);
    Optional<String> token = CommonSettings.secret(tokenFile);
    new RoundTrip(new RemoteService("grace", () -> address, token)).run();
    return "One went by MCP to Grace, over the bus, and back.";
  }
}
