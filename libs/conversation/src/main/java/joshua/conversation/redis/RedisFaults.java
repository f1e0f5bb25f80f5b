package joshua.conversation.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import joshua.conversation.BusUnavailableException;

/** The errors of Redis and of the connection to it, as sentences for people. */
final class RedisFaults {
  private RedisFaults() {}

  static BusUnavailableException connecting(RedisAddress address, Throwable failure) {
    String reply = reply(failure).orElse("");
    if (reply.startsWith("WRONGPASS") || reply.startsWith("NOAUTH") || reply.contains("AUTH")) {
      return new BusUnavailableException(
          "Redis at %s refused the user name or password. Check JOSHUA_REDIS_PASSWORD_FILE (or the password in JOSHUA_REDIS_URL)."
              .formatted(address.describe()),
          failure);
    }
    if (reply.startsWith("NOPERM")) {
      return new BusUnavailableException(
          "Redis at %s lets the user in but not do what Joshua needs (%s). Check the user's ACL."
              .formatted(address.describe(), reply),
          failure);
    }
    return new BusUnavailableException(
        "Redis at %s can't be reached (%s). Is it running, and is JOSHUA_REDIS_URL right?"
            .formatted(address.describe(), reply.isEmpty() ? kind(failure) : reply),
        failure);
  }

  /** The error that Redis itself replied with, if it was one. */
  static Optional<String> reply(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException executed) {
        return Optional.ofNullable(executed.getMessage());
      }
    }
    return Optional.empty();
  }

  private static String kind(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<String> known =
          switch (cause) {
            case ConnectException refused -> Optional.of("connection refused");
            case UnknownHostException unknown -> Optional.of("unknown host");
            case TimeoutException late -> Optional.of("no answer in time");
            case RedisCommandTimeoutException late -> Optional.of("no answer in time");
            case SSLException tls -> Optional.of("the TLS handshake failed");
            default -> Optional.empty();
          };
      if (known.isPresent()) {
        return known.get();
      }
    }
    return "the connection was closed";
  }
}
