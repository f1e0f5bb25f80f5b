package joshua.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.InvalidAddressException;
import joshua.conversation.redis.RedisAddress;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.redis.EmbeddedRedis;

/** The address of the Redis that a command uses. */
final class BusAddress {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

  private BusAddress() {}

  /** The one that the settings name; empty when the embedded one is to be used. */
  static Optional<RedisAddress> named(Settings settings)
      throws UsageException, ServiceUnavailableException {
    Optional<String> url = settings.find(KnownSettings.REDIS_URL);
    if (url.isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> file = settings.find(KnownSettings.REDIS_PASSWORD_FILE);
    Optional<String> password = file.isPresent() ? Optional.of(read(file.get())) : Optional.empty();
    return Optional.of(address(url.get(), password, settings.find(KnownSettings.REDIS_CA_FILE)));
  }

  static RedisAddress of(EmbeddedRedis redis) throws UsageException, ServiceUnavailableException {
    return embedded(redis.port(), redis.password());
  }

  /** The one that the settings name, or else that of the group that runs on the data directory. */
  static RedisAddress running(Settings settings)
      throws UsageException, ServiceUnavailableException, IOException {
    Optional<RedisAddress> named = named(settings);
    if (named.isPresent()) {
      return named.get();
    }
    Path data = settings.get(KnownSettings.DATA_DIR);
    Integer port = RunFile.find(data).map(run -> run.ports().get(MadWiring.REDIS)).orElse(null);
    if (port == null) {
      throw new ServiceUnavailableException(
          "No Joshua with a Redis of its own runs on the data directory %s. Start one with ./joshua up, or name a Redis by JOSHUA_REDIS_URL."
              .formatted(data));
    }
    return embedded(port, read(data.resolve("redis.password")));
  }

  private static RedisAddress embedded(int port, String password)
      throws UsageException, ServiceUnavailableException {
    return address(
        "redis://%s:%d".formatted(EmbeddedRedis.HOST, port),
        Optional.of(password),
        Optional.empty());
  }

  private static RedisAddress address(
      String url, Optional<String> password, Optional<Path> certificateAuthority)
      throws UsageException, ServiceUnavailableException {
    try {
      return RedisAddress.of(url, password, certificateAuthority, CONNECT_WITHIN);
    } catch (InvalidAddressException e) {
      throw new UsageException(List.of(String.valueOf(e.getMessage())));
    } catch (BusUnavailableException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private static String read(Path passwordFile) throws ServiceUnavailableException {
    try {
      return Files.readString(passwordFile).strip();
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "The password file %s can't be read (%s). Set JOSHUA_REDIS_PASSWORD_FILE to one that can."
              .formatted(passwordFile, e.getClass().getSimpleName()),
          e);
    }
  }
}
