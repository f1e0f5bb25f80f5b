package joshua.kernel;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every setting (wire contract §5). Each subcommand knows them all, even those of MADs that don't
 * run here, since one settings file serves all subcommands.
 */
public final class KnownSettings {
  private KnownSettings() {}

  /** The format of log lines. */
  public enum LogFormat {
    AUTO,
    TEXT,
    JSON
  }

  /** The lowest level that is logged. */
  public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  /** The provider of the model that answers an Imperator's prompts (REQ-FD-01). */
  public enum ModelProvider {
    NONE,
    OPENAI,
    ANTHROPIC,
    OLLAMA
  }

  /** On or off. */
  public enum Switch {
    ON,
    OFF
  }

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final int MILLION = 1_000_000;
  private static final int HOUR = 3_600;

  public static final Setting<Path> SETTINGS_FILE =
      Setting.path(
          "settings-file",
          "configs/joshua.properties",
          "Where settings are read from, one key=value a line; only one that is named here must"
              + " exist.");
  public static final Setting<Path> DATA_DIR =
      Setting.path(
          "data-dir",
          "data",
          "Where state lives: the Redis password, databases, host keys, who may log in, tokens, run.json.");
  public static final Setting<String> BIND =
      Setting.text(
              "bind",
              "127.0.0.1",
              "IP address",
              "The address that all listeners bind to; anything but loopback needs a tokens file.")
          .checked(KnownSettings::ipAddress);
  public static final Setting<Path> TOKENS_FILE =
      Setting.path(
          "tokens-file",
          null,
          "Lines of: sha256 client-id role; with it every call needs a bearer token.");
  public static final Setting<Path> TOKEN_FILE =
      Setting.path(
          "token-file",
          null,
          "A file that holds the bearer token that the command line and the stdio bridge call"
              + " with.");
  public static final Setting<List<String>> ALLOWED_HOSTS =
      Setting.list(
          "allowed-hosts",
          "localhost,127.0.0.1,[::1]",
          "Host names that requests may be addressed to; others get 403.");
  public static final Setting<List<String>> ALLOWED_ORIGINS =
      Setting.list(
          "allowed-origins",
          "localhost,127.0.0.1,[::1]",
          "Web origins, or just their host names, that browsers may call from; others get 403.");
  public static final Setting<String> REDIS_URL =
      Setting.secretText(
          "redis-url",
          "redis://, rediss:// or redis-sentinel://",
          "The Redis to use; without it an embedded one is started.");
  public static final Setting<Path> REDIS_PASSWORD_FILE =
      Setting.path(
          "redis-password-file",
          null,
          "A file that holds the password for the redis-url, and nothing else.");
  public static final Setting<Path> REDIS_CA_FILE =
      Setting.path(
          "redis-ca-file",
          null,
          "A PEM file with the certificates that a rediss:// server is checked against, instead of"
              + " Java's own.");
  public static final Setting<Integer> REDIS_PORT =
      Setting.port(
          "redis-port",
          6379,
          "Port of the embedded Redis; the next free one is taken when it is in use and wasn't"
              + " set.");

  public static final Setting<Integer> GRACE_PORT =
      Setting.port("grace-port", 8000, "Grace's port: /ws, /mcp, /healthz, /readyz, /metrics.");
  public static final Setting<Integer> FIEDLER_PORT =
      Setting.port("fiedler-port", 8001, "Fiedler's port.");
  public static final Setting<Integer> ROGERS_PORT =
      Setting.port("rogers-port", 8002, "Rogers' port.");
  public static final Setting<Integer> GRACE_SSH_PORT =
      Setting.port("grace-ssh-port", 2200, "Grace's SSH port.");
  public static final Setting<Integer> FIEDLER_SSH_PORT =
      Setting.port("fiedler-ssh-port", 2201, "Fiedler's SSH port.");
  public static final Setting<Integer> ROGERS_SSH_PORT =
      Setting.port("rogers-ssh-port", 2202, "Rogers' SSH port.");
  public static final Setting<Path> SSH_AUTHORIZED_KEYS =
      Setting.path(
          "ssh-authorized-keys",
          "data/ssh/authorized_keys",
          "Public keys that may log in by SSH; by default in the data-dir.");

  /** Values that stand for this machine's loopback address and for its one private address. */
  public static final String LOOPBACK = "loopback";

  public static final String INTERNAL = "internal";

  public static final Setting<String> SSH_BIND =
      Setting.text(
              "ssh-bind",
              LOOPBACK,
              "loopback, internal, IP address",
              "The address that SSH listens on; internal is the one private address that a"
                  + " container has.")
          .checked(text ->
              text.equals(LOOPBACK) || text.equals(INTERNAL)
                  ? Optional.empty()
                  : ipAddress(text).map(rule -> "must be loopback, internal or an IP address"));
  public static final Setting<Switch> SSH_ANY_ADDRESS =
      Setting.choice(
          "ssh-any-address",
          Switch.OFF,
          Switch.class,
          "Whether ssh-bind may be 0.0.0.0 or ::, every address of this machine.");

  public static final Setting<Integer> GRACE_QUEUE_LIMIT =
      Setting.number(
          "grace-queue-limit",
          100,
          1,
          MILLION,
          "messages",
          "How many messages wait for one client; then the oldest is dropped, and told.");
  public static final Setting<Integer> GRACE_CLIENT_LIMIT =
      Setting.number(
          "grace-client-limit",
          10_000,
          1,
          MILLION,
          "clients",
          "How many clients have a queue; then the least recently used is evicted, and told.");
  public static final Setting<Long> GRACE_QUEUE_BYTES =
      Setting.bytes(
          "grace-queue-bytes",
          null,
          MIB,
          Long.MAX_VALUE,
          "How much all queues may hold together, a message shared by many counted once; by default"
              + " a quarter of the heap.");

  /** Every stream frame, and every notification without its result, fits into this. */
  public static final long SMALLEST_ENVELOPE_LIMIT = 128 * KIB;

  public static final Setting<Long> ENVELOPE_LIMIT =
      Setting.bytes(
          "envelope-limit",
          "1MiB",
          SMALLEST_ENVELOPE_LIMIT,
          64 * MIB,
          "The largest envelope that is sent, encoded; 128KiB or more.");
  public static final Setting<Integer> RATE_LIMIT =
      Setting.number(
          "rate-limit",
          10_000,
          1,
          10 * MILLION,
          "calls/s",
          "How many calls a second one connection may make; twice as many in a burst.");
  public static final Setting<Long> FRAME_LIMIT =
      Setting.bytes(
          "frame-limit",
          "4MiB",
          KIB,
          256 * MIB,
          "The largest WebSocket frame and HTTP body that is read.");
  public static final Setting<ModelProvider> MODEL_PROVIDER =
      Setting.choice(
          "model-provider",
          ModelProvider.NONE,
          ModelProvider.class,
          "Which kind of model server the Imperators use.");
  public static final Setting<String> MODEL_NAME =
      Setting.text(
          "model-name",
          null,
          "as the provider names it, several comma-separated",
          "The models; the first is the Imperator's, all of them can be asked by fiedler_send.");
  public static final Setting<String> MODEL_BASE_URL =
      Setting.text(
          "model-base-url",
          null,
          "URL",
          "Where the model server is, when not at the provider's own address.");
  public static final Setting<String> MODEL_API_KEY =
      Setting.secretText(
          "model-api-key", "key", "The model server's API key; better given as a file.");
  public static final Setting<Path> MODEL_API_KEY_FILE =
      Setting.path(
          "model-api-key-file",
          null,
          "A file that holds the model server's API key, and nothing else.");
  public static final Setting<Integer> MODEL_CONNECT_TIMEOUT =
      Setting.number(
          "model-connect-timeout",
          10,
          1,
          HOUR,
          "s",
          "How long connecting to the model server may take.");
  public static final Setting<Integer> MODEL_FIRST_TOKEN_TIMEOUT =
      Setting.number(
          "model-first-token-timeout",
          60,
          1,
          HOUR,
          "s",
          "How long a model may take from a request to its first token.");
  public static final Setting<Integer> MODEL_TOKEN_GAP_TIMEOUT =
      Setting.number(
          "model-token-gap-timeout",
          30,
          1,
          HOUR,
          "s",
          "How long a model may pause between two tokens.");
  public static final Setting<Integer> MODEL_ANSWER_TIMEOUT =
      Setting.number(
          "model-answer-timeout",
          600,
          1,
          24 * HOUR,
          "s",
          "How long one whole answer may take, with all its requests, queries and retries.");
  public static final Setting<Integer> MODEL_RETRIES =
      Setting.number(
          "model-retries",
          3,
          0,
          10,
          "retries",
          "How often a request that failed before its first token is made again.");
  public static final Setting<Integer> MODEL_OUTPUT_TOKENS =
      Setting.number(
          "model-output-tokens",
          4_096,
          16,
          MILLION,
          "tokens",
          "How much a model may answer to one request.");
  public static final Setting<Integer> MODEL_CONTEXT_TOKENS =
      Setting.number(
          "model-context-tokens",
          16_000,
          1_000,
          10 * MILLION,
          "tokens",
          "How much a model is given to read with one request, counted cautiously.");

  public static final Setting<LogFormat> LOG_FORMAT =
      Setting.choice(
          "log-format",
          LogFormat.AUTO,
          LogFormat.class,
          "How log lines look; auto is text on a terminal, else JSON.");
  public static final Setting<LogLevel> LOG_LEVEL =
      Setting.choice(
          "log-level",
          LogLevel.INFO,
          LogLevel.class,
          "The least important log line that is written.");

  private static final List<Setting<?>> FOR_ALL =
      List.of(
          SETTINGS_FILE,
          DATA_DIR,
          BIND,
          TOKENS_FILE,
          TOKEN_FILE,
          ALLOWED_HOSTS,
          ALLOWED_ORIGINS,
          DirectReaders.SETTING,
          REDIS_URL,
          REDIS_PASSWORD_FILE,
          REDIS_CA_FILE,
          REDIS_PORT,
          GRACE_PORT,
          FIEDLER_PORT,
          ROGERS_PORT,
          GRACE_SSH_PORT,
          FIEDLER_SSH_PORT,
          ROGERS_SSH_PORT,
          SSH_AUTHORIZED_KEYS,
          SSH_BIND,
          SSH_ANY_ADDRESS,
          GRACE_QUEUE_LIMIT,
          GRACE_CLIENT_LIMIT,
          GRACE_QUEUE_BYTES,
          ENVELOPE_LIMIT,
          RATE_LIMIT,
          FRAME_LIMIT,
          MODEL_PROVIDER,
          MODEL_NAME,
          MODEL_BASE_URL,
          MODEL_API_KEY,
          MODEL_API_KEY_FILE,
          MODEL_CONNECT_TIMEOUT,
          MODEL_FIRST_TOKEN_TIMEOUT,
          MODEL_TOKEN_GAP_TIMEOUT,
          MODEL_ANSWER_TIMEOUT,
          MODEL_RETRIES,
          MODEL_OUTPUT_TOKENS,
          MODEL_CONTEXT_TOKENS,
          LOG_FORMAT,
          LOG_LEVEL);

  private static final List<Setting<?>> OF_A_MAD =
      List.of(
          MODEL_PROVIDER,
          MODEL_NAME,
          MODEL_BASE_URL,
          MODEL_API_KEY,
          MODEL_API_KEY_FILE,
          MODEL_CONNECT_TIMEOUT,
          MODEL_FIRST_TOKEN_TIMEOUT,
          MODEL_TOKEN_GAP_TIMEOUT,
          MODEL_ANSWER_TIMEOUT,
          MODEL_RETRIES,
          MODEL_OUTPUT_TOKENS,
          MODEL_CONTEXT_TOKENS);

  private static final List<Setting<?>> ALL = all();

  /** All settings, in the order in which {@code joshua config} prints them. */
  public static List<Setting<?>> list() {
    return ALL;
  }

  /** The variant of a setting for {@code mad} alone, {@code fiedler-model-name} for instance. */
  public static <T> Setting<T> of(String mad, Setting<T> setting) {
    return setting.under(
        mad + "-" + setting.key(), "As " + setting.key() + ", for " + mad + " alone.");
  }

  private static Optional<String> ipAddress(String text) {
    try {
      InetAddress.ofLiteral(text);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("must be an IP address, such as 127.0.0.1 or ::1");
    }
  }

  private static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(FOR_ALL);
    all.add(all.indexOf(GRACE_PORT), RedisSettings.PROGRAM);
    all.add(all.indexOf(FIEDLER_PORT), GraceSettings.URLS);
    all.addAll(all.indexOf(ENVELOPE_LIMIT), GraceSettings.subscriptions());
    all.addAll(all.indexOf(MODEL_PROVIDER), TaskSettings.list());
    all.addAll(all.indexOf(LOG_FORMAT), RogersSettings.list());
    all.addAll(all.indexOf(LOG_FORMAT), WatchdogSettings.list());
    for (String mad : List.of("fiedler", "rogers")) {
      OF_A_MAD.forEach(setting -> all.add(of(mad, setting)));
    }
    return List.copyOf(all);
  }
}
