package joshua.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.kernel.LogThrottle;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Lets through one line a minute from each logger whose lines unauthenticated callers can cause as
 * often as they like, and reports how many there were.
 */
final class ThrottledLoggers extends TurboFilter {
  static final Duration EVERY = Duration.ofMinutes(1);

  /** Jetty warns about every {@code Host} that isn't valid. */
  static final Set<String> NAMES = Set.of("org.eclipse.jetty.util.HostPort");

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(ThrottledLoggers.class);

  private final Map<String, LogThrottle> throttles =
      NAMES.stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(), name -> new LogThrottle(EVERY, System::nanoTime)));

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    LogThrottle throttle = throttles.get(logger.getName());
    boolean written = format != null && level.isGreaterOrEqual(logger.getEffectiveLevel());
    if (throttle == null || !written) {
      return FilterReply.NEUTRAL;
    }
    long times = throttle.occurred();
    if (times > 1) {
      log.warn("{} lines as the next one were left out in the last minute", times - 1);
    }
    return times > 0 ? FilterReply.NEUTRAL : FilterReply.DENY;
  }
}
