package joshua.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The waits of tests for a fact. The timeout is far beyond what any machine needs: when it is
 * reached, the fact will never be.
 */
public final class Await {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration INTERVAL = Duration.ofMillis(10);

  private Await() {}

  /** Waits until a condition holds; an exception of the condition ends the wait. */
  public static void until(String fact, Callable<Boolean> condition) {
    await(fact).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(INTERVAL).until(condition);
  }

  /**
   * Waits until a value matches, and returns it; the error has the last value.
   *
   * @param fact what is awaited, as in "Redis answers"
   */
  public static <T> T value(String fact, Callable<T> value, Predicate<T> wanted) {
    Object[] last = new Object[1];
    try {
      return await(fact)
          .atMost(TIMEOUT)
          .pollDelay(Duration.ZERO)
          .pollInterval(INTERVAL)
          .until(
              () -> {
                T now = value.call();
                last[0] = now;
                return now;
              },
              wanted);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("%s: not after %s, but %s".formatted(fact, TIMEOUT, last[0]), e);
    }
  }
}
