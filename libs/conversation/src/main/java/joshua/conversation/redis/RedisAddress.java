package joshua.conversation.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.InvalidAddressException;

/**
 * The address of Redis and its login: one server, one with TLS, or a Sentinel group, by the URL's
 * scheme. Never without a password (REQ-JC-09).
 *
 * @param certificateAuthority a PEM file to check a {@code rediss://} server against, instead of
 *     the JVM's own trust store
 */
public record RedisAddress(RedisURI uri, Optional<Path> certificateAuthority) {
  private static final List<String> SCHEMES = List.of("redis://", "rediss://", "redis-sentinel://");
  private static final Pattern USER_INFO = Pattern.compile("://([^:@/?#]*)(?::[^/?#]*)?@");

  /**
   * A name or an IPv4 address, or an IPv6 address: any other text with a colon has no proper port.
   */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%\\w+)?]?");

  private static final Pattern HOST_AND_PORT = Pattern.compile("([A-Za-z0-9._-]+):([0-9]{1,5})");

  private static final int LAST_PORT = 65_535;

  /**
   * Parses a URL.
   *
   * @param password takes precedence over one in the URL; empty to use that one
   * @throws InvalidAddressException if the URL is malformed; no message contains the password
   * @throws BusUnavailableException if there is no password
   */
  public static RedisAddress of(
      String url, Optional<String> password, Optional<Path> certificateAuthority, Duration deadline)
      throws BusUnavailableException {
    if (SCHEMES.stream().noneMatch(url::startsWith)) {
      throw new InvalidAddressException(
          "JOSHUA_REDIS_URL must begin with redis://, rediss:// or redis-sentinel://.");
    }
    RedisURI uri = parse(url);
    RedisCredentials given = uri.getCredentialsProvider().resolveCredentials().block();
    if (password.isPresent()) {
      String user = user(url);
      uri.setCredentialsProvider(
          RedisCredentialsProvider.from(() -> RedisCredentials.just(user, password.get())));
    } else if (given == null || !given.hasPassword()) {
      throw new BusUnavailableException(
          "There is no password for Redis at %s. Give it as a file by JOSHUA_REDIS_PASSWORD_FILE, or in JOSHUA_REDIS_URL; Joshua runs with none unauthenticated."
              .formatted(describe(uri)));
    }
    uri.setTimeout(deadline);
    uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(deadline));
    return new RedisAddress(uri, certificateAuthority);
  }

  private static RedisURI parse(String url) throws InvalidAddressException {
    try {
      RedisURI uri = RedisURI.create(url);
      Matcher both = HOST_AND_PORT.matcher(uri.getHost() == null ? "" : uri.getHost());
      if (uri.getSentinels().isEmpty() && both.matches()) {
        // A name with an underscore, which Compose generates, isn't split by {@code URI}.
        uri.setHost(both.group(1));
        uri.setPort(Integer.parseInt(both.group(2)));
      }
      if (isComplete(uri)) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Its message would show the URL and the password in it.
    }
    throw new InvalidAddressException(
        "JOSHUA_REDIS_URL is not a Redis URL; it looks like redis://[[user]:password@]host:port, or redis-sentinel://[[user]:password@]host:port,host:port#master.");
  }

  private static boolean isComplete(RedisURI uri) {
    return uri.getSentinels().isEmpty()
        ? isPlace(uri)
        : uri.getSentinels().stream().allMatch(RedisAddress::isPlace)
            && uri.getSentinelMasterId() != null
            && !uri.getSentinelMasterId().isBlank();
  }

  private static boolean isPlace(RedisURI uri) {
    return uri.getHost() != null
        && HOST.matcher(uri.getHost()).matches()
        && uri.getPort() > 0
        && uri.getPort() <= LAST_PORT;
  }

  /**
   * The user that a URL names. Text alone before the {@code @} would be a password, but here the
   * password comes from elsewhere, so it is the user.
   */
  private static String user(String url) {
    Matcher userInfo = USER_INFO.matcher(url);
    if (!userInfo.find() || userInfo.group(1).isEmpty()) {
      return "default";
    }
    return URLDecoder.decode(userInfo.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The user that logs in. */
  public String user() {
    RedisCredentials credentials = uri.getCredentialsProvider().resolveCredentials().block();
    String name = credentials == null ? null : credentials.getUsername();
    return name == null || name.isEmpty() ? "default" : name;
  }

  /**
   * The same server and login for a connection that Redis lists under {@code clientName}.
   *
   * @param deadline for the login
   */
  RedisURI uriFor(String clientName, Duration deadline) {
    RedisURI copy = anonymousUri(deadline);
    copy.setCredentialsProvider(uri.getCredentialsProvider());
    copy.setClientName(clientName);
    return copy;
  }

  /** The same server without a login, to check that it refuses such connections. */
  RedisURI anonymousUri(Duration deadline) {
    RedisURI copy = new RedisURI();
    copy.setSsl(uri.isSsl());
    copy.setVerifyPeer(uri.getVerifyMode());
    copy.setDatabase(uri.getDatabase());
    copy.setTimeout(deadline);
    if (uri.getSentinels().isEmpty()) {
      copy.setHost(uri.getHost());
      copy.setPort(uri.getPort());
    } else {
      copy.setSentinelMasterId(uri.getSentinelMasterId());
      copy.getSentinels().addAll(uri.getSentinels());
    }
    return copy;
  }

  /** Host and port, or the Sentinels and the master's name, without the password. */
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
