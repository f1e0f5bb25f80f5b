package joshua.conversation.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailable;

/**
 * Where Redis is and how to log in: one server, one with TLS, or a Sentinel group, told by the
 * URL's scheme. Never without a password (REQ-JC-09).
 *
 * @param certificateAuthority a PEM file to check a {@code rediss://} server against, instead of
 *     the JVM's own trust store
 */
public record RedisAddress(RedisURI uri, Optional<Path> certificateAuthority) {
  private static final List<String> SCHEMES = List.of("redis://", "rediss://", "redis-sentinel://");

  /**
   * Reads a URL.
   *
   * @param password goes before one in the URL; empty to use that one
   * @throws BusUnavailable with a sentence that never contains the password
   */
  public static RedisAddress of(
      String url, Optional<String> password, Optional<Path> certificateAuthority, Duration deadline)
      throws BusUnavailable {
    if (SCHEMES.stream().noneMatch(url::startsWith)) {
      throw new BusUnavailable(
          "JOSHUA_REDIS_URL must begin with redis://, rediss:// or redis-sentinel://.");
    }
    RedisURI uri;
    try {
      uri = RedisURI.create(url);
    } catch (IllegalArgumentException e) {
      throw new BusUnavailable(
          "JOSHUA_REDIS_URL is not a Redis URL; it looks like redis://[user[:password]@]host:port.");
    }
    RedisCredentials given = uri.getCredentialsProvider().resolveCredentials().block();
    if (password.isPresent()) {
      String user = given == null || !given.hasUsername() ? "default" : given.getUsername();
      uri.setCredentialsProvider(
          io.lettuce.core.RedisCredentialsProvider.from(
              () -> RedisCredentials.just(user, password.get())));
    } else if (given == null || !given.hasPassword()) {
      throw new BusUnavailable(
          "There is no password for Redis at %s. Give it as a file by JOSHUA_REDIS_PASSWORD_FILE, or in JOSHUA_REDIS_URL; Joshua runs with none unauthenticated."
              .formatted(describe(uri)));
    }
    uri.setTimeout(deadline);
    return new RedisAddress(uri, certificateAuthority);
  }

  /** Host and port, or the Sentinels and the master's name: no password. */
  public String describe() {
    return describe(uri);
  }

  private static String describe(RedisURI uri) {
    if (uri.getSentinels().isEmpty()) {
      return uri.getHost() + ":" + uri.getPort();
    }
    List<String> sentinels =
        uri.getSentinels().stream().map(node -> node.getHost() + ":" + node.getPort()).toList();
    return "master %s of Sentinels %s".formatted(uri.getSentinelMasterId(), sentinels);
  }
}
