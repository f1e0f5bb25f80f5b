package joshua.conversation.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.conversation.BusUnavailableException;
import reactor.core.publisher.Mono;

/**
 * The address of Redis and its login: one server, one with TLS, or a Sentinel group, by the URL's
 * scheme. A password is required (REQ-JC-09).
 */
public final class RedisAddress {
  private static final List<String> SCHEMES = List.of("redis://", "rediss://", "redis-sentinel://");
  private static final Pattern USER_INFO = Pattern.compile("://([^:@/?#]*)(?::[^/?#]*)?@");

  /** A name or an IPv4 address, or an IPv6 address: other texts with a colon have no good port. */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%\\w+)?]?");

  private static final Pattern HOST_AND_PORT = Pattern.compile("([A-Za-z0-9._-]+):([0-9]{1,5})");
  private static final int LAST_PORT = 65_535;

  private final String url;
  private final RedisURI uri;

  private RedisAddress(String url, RedisURI uri) {
    this.url = url;
    this.uri = uri;
  }

  /**
   * Reads an address. No message contains the password.
   *
   * @param password takes precedence over one in the URL; empty to use that
   * @throws IllegalArgumentException if the URL is invalid
   * @throws BusUnavailableException if there is no password
   */
  public static RedisAddress of(String url, Optional<String> password)
      throws BusUnavailableException {
    return from(url, password.map(given -> () -> given));
  }

  /** As {@link #of}, with the password in a file that is read again for each connection. */
  public static RedisAddress withPasswordIn(Path file, String url) throws BusUnavailableException {
    try {
      Files.readString(file);
    } catch (IOException e) {
      throw new BusUnavailableException("The file %s can't be read (%s).".formatted(file, e), e);
    }
    return from(url, Optional.of(() -> Files.readString(file).strip()));
  }

  private static RedisAddress from(String url, Optional<Callable<String>> password)
      throws BusUnavailableException {
    RedisURI uri = parse(url);
    RedisCredentials given = uri.getCredentialsProvider().resolveCredentials().block();
    if (password.isPresent()) {
      String user = user(url);
      uri.setCredentialsProvider(
          () -> Mono.fromCallable(password.get()).map(word -> RedisCredentials.just(user, word)));
    } else if (given == null || !given.hasPassword()) {
      throw new BusUnavailableException(
          "There is no password for Redis at %s. Give it as a file by JOSHUA_REDIS_PASSWORD_FILE, or in JOSHUA_REDIS_URL; Joshua uses no Redis without one."
              .formatted(describe(uri)));
    }
    return new RedisAddress(url, uri);
  }

  private static RedisURI parse(String url) {
    try {
      if (SCHEMES.stream().noneMatch(url::startsWith)) {
        throw new IllegalArgumentException("another scheme");
      }
      RedisURI uri = RedisURI.create(url);
      Matcher both = HOST_AND_PORT.matcher(uri.getHost() == null ? "" : uri.getHost());
      if (uri.getSentinels().isEmpty() && both.matches()) {
        // A name with an underscore, which Compose generates, isn't split by java.net.URI.
        uri.setHost(both.group(1));
        uri.setPort(Integer.parseInt(both.group(2)));
      }
      if (isComplete(uri)) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Its message would show the URL and the password in it.
    }
    throw new IllegalArgumentException(
        "JOSHUA_REDIS_URL is not a Redis URL; it looks like redis://[[user]:password@]host:port, rediss:// for TLS, or redis-sentinel://[[user]:password@]host:port,host:port#master.");
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
   * The user in a URL. A single text before {@code @} would normally be the password; here it is
   * the user, since the password comes separately.
   */
  private static String user(String url) {
    Matcher userInfo = USER_INFO.matcher(url);
    if (!userInfo.find() || userInfo.group(1).isEmpty()) {
      return "default";
    }
    return URLDecoder.decode(userInfo.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The URI for a connection with a client name and a timeout. */
  RedisURI uri(String clientName, Duration connectTimeout) {
    RedisURI copy = parse(url); // a copy that Lettuce makes has no Sentinels
    copy.setCredentialsProvider(uri.getCredentialsProvider());
    copy.setClientName(clientName);
    copy.setTimeout(connectTimeout);
    copy.getSentinels().forEach(sentinel -> sentinel.setTimeout(connectTimeout));
    return copy;
  }

  private static String describe(RedisURI uri) {
    if (uri.getSentinels().isEmpty()) {
      return uri.getHost() + ":" + uri.getPort();
    }
    List<String> sentinels =
        uri.getSentinels().stream().map(node -> node.getHost() + ":" + node.getPort()).toList();
    return "%s (Sentinels %s)".formatted(uri.getSentinelMasterId(), String.join(", ", sentinels));
  }

  /** Host and port, or the Sentinels and the master's name, without the password. */
  @Override
  public String toString() {
    return describe(uri);
  }
}
