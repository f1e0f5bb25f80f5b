package joshua.conversation.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import joshua.conversation.BusUnavailableException;

/** The errors of Redis and of the connection to it, as sentences for people. */
final class RedisErrors {
  private RedisErrors() {}

  static BusUnavailableException unavailable(RedisAddress address, Throwable failure) {
    return new BusUnavailableException(sentence(address, failure), failure);
  }

  static String sentence(RedisAddress address, Throwable failure) {
    String reply = reply(failure).orElse("");
    String sentence;
    if (reply.startsWith("NOPERM")) {
      sentence =
          "Redis at %s lets the user in but not do what Joshua needs (%s). Check the user's ACL.";
    } else if (reply.startsWith("WRONGPASS") || reply.contains("AUTH")) {
      sentence =
          "Redis at %s refused the user name or password. Check JOSHUA_REDIS_PASSWORD_FILE (or the password in JOSHUA_REDIS_URL).";
    } else {
      sentence = "Redis at %s can't be reached (%s). Is it running, and is JOSHUA_REDIS_URL right?";
    }
    String why = reply.isEmpty() ? kind(failure) : reply;
    return sentence.formatted(address, why);
  }

  /** The error that Redis itself replied with, if it was one. */
  static Optional<String> reply(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException replied) {
        return Optional.ofNullable(replied.getMessage());
      }
    }
    return Optional.empty();
  }

  private static String kind(Throwable failure) {
    String said = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisException && cause.getMessage() != null) {
        said = cause.getMessage();
      }
      if (cause instanceof ConnectException) {
        return "connection refused";
      } else if (cause instanceof UnknownHostException) {
        return "unknown host";
      } else if (cause instanceof TimeoutException
          || cause instanceof RedisCommandTimeoutException) {
        return "no answer in time";
      } else if (cause instanceof SSLException) {
        return "the TLS handshake failed";
      }
    }
    return said == null ? "the connection was closed" : said;
  }
}
