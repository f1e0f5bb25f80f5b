package joshua.app.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.redis.RedisAddress;
import joshua.network.Access;
import joshua.network.Authenticator;
import joshua.network.http.MessageBudget;
import joshua.network.http.ToolServer;
import joshua.ssh.mina.SshServers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings that concern the whole group (wire contract §5). */
public final class CommonSettings extends AuthorizedKeysOption {
  @Option(
      names = "--bind",
      defaultValue = "127.0.0.1",
      paramLabel = "ADDRESS",
      description = "The address that services listen on; beyond loopback, tokens are needed.")
  private String bind;

  @Option(
      names = "--allowed-hosts",
      split = ",",
      paramLabel = "HOST",
      description = "Names by which services may be addressed, besides localhost.")
  private List<String> allowedHosts = List.of();

  @Option(
      names = "--allowed-origins",
      split = ",",
      defaultValue = "localhost,127.0.0.1,[::1]",
      paramLabel = "ORIGIN",
      description = "Web pages that may use services: their hosts, or whole origins.")
  private List<String> allowedOrigins;

  @Option(
      names = "--tokens-file",
      paramLabel = "FILE",
      description = "Lines of sha256 client-id role; with it, calls need a token.")
  private @Nullable Path tokensFile;

  @Option(
      names = "--direct-readers",
      split = ",",
      paramLabel = "ID",
      description = "Who may read what is sent to others directly, besides administrators.")
  private Set<String> directReaders = Set.of();

  @Option(
      names = "--ssh-bind",
      defaultValue = "loopback",
      paramLabel = "WHERE",
      description = "loopback, or all (in containers only): where SSH listens.")
  private SshBind sshBind;

  /** Where SSH listens (REQ-JS-05). */
  public enum SshBind {
    LOOPBACK("127.0.0.1"),
    ALL("0.0.0.0");

    private final String address;

    SshBind(String address) {
      this.address = address;
    }
  }

  @Option(
      names = "--redis-url",
      paramLabel = "URL",
      description = "A Redis that runs already: redis://, rediss:// or redis-sentinel://.")
  private @Nullable String redisUrl;

  @Option(
      names = "--redis-password-file",
      paramLabel = "FILE",
      description = "The password of that Redis; read again for each connection.")
  private @Nullable Path redisPasswordFile;

  @Option(
      names = "--redis-port",
      defaultValue = "6379",
      paramLabel = "PORT",
      description = "Of the embedded Redis; the next free one is taken unless it was set.")
  private int redisPort;

  @Option(
      names = "--rate-limit",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Calls a second of one connection.")
  private int rateLimit;

  @Option(
      names = "--frame-limit",
      defaultValue = "4194304",
      paramLabel = "BYTES",
      description = "The largest frame or body.")
  private int frameLimit;

  @Option(
      names = "--log-level",
      defaultValue = "info",
      paramLabel = "LEVEL",
      description = "error, warn, info or debug.")
  String logLevel;

  @Option(
      names = "--log-format",
      defaultValue = "auto",
      paramLabel = "FORMAT",
      description = "text, json, or auto: text on a terminal, else json.")
  LogFormat logFormat;

  /** How a line of the log looks. */
  public enum LogFormat {
    AUTO,
    TEXT,
    JSON
  }

  public String bind() {
    return bind;
  }

  /** Empty where no tokens are needed. */
  public Optional<Path> tokensFile() {
    return Optional.ofNullable(tokensFile);
  }

  public Set<String> directReaders() {
    return directReaders;
  }

  /** Who may log in by SSH, and where. */
  public SshServers.Config ssh(Access access) {
    return new SshServers.Config(
        authorizedKeys(), sshDirectory().resolve("host_key"), sshBind.address, access);
  }

  /** Empty for the embedded Redis. */
  public Optional<RedisAddress> redis() throws BusUnavailableException {
    if (redisUrl == null) {
      return Optional.empty();
    }
    return Optional.of(
        redisPasswordFile == null
            ? RedisAddress.of(redisUrl, Optional.empty())
            : RedisAddress.withPasswordIn(redisPasswordFile, redisUrl));
  }

  /** What a file holds, if one is named. */
  public static Optional<String> secret(@Nullable Path file) throws IOException {
    try {
      return file == null ? Optional.empty() : Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      throw new IOException("The file %s can't be read (%s).".formatted(file, e), e);
    }
  }

  /** Memory for the messages of all services. */
  public MessageBudget messageBudget() {
    return new MessageBudget(frameLimit);
  }

  public int redisPort() {
    return redisPort;
  }

  /** The host by which services are reached here; where they listen on all, that is loopback. */
  public String host() {
    return switch (bind) {
      case "0.0.0.0", "::" -> "127.0.0.1";
      default -> bind.contains(":") ? "[%s]".formatted(bind) : bind;
    };
  }

  /** How a service serves its tools: its setting of the port, and a budget that all share. */
  public ToolServer.Config server(
      int port, String portSetting, Authenticator authenticator, MessageBudget budget) {
    return new ToolServer.Config(
        bind,
        port,
        portSetting,
        frameLimit,
        rateLimit,
        Stream.concat(allowedHosts.stream(), Stream.of(host())).toList(),
        allowedOrigins,
        authenticator,
        budget);
  }
}
