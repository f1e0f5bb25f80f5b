package joshua.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that fails a test that leaves threads (virtual ones too) or sockets behind.
 * {@code @ExtendWith(LeakCheck.class)}, on a class that runs {@code @Isolated}: other tests'
 * threads would count as its own. Sockets are checked where the system has {@code /proc}.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Duration GONE_WITHIN = Duration.ofSeconds(5);

  /** Threads of the JVM and of libraries that stay, or end by themselves when idle. */
  private static final Pattern NOT_OURS =
      Pattern.compile(
          "ForkJoinPool.*|CompletableFutureDelayScheduler.*|VirtualThread-.*|process reaper.*"
              + "|globalEventExecutor.*|Common-Cleaner|Cleaner-\\d+|awaitility-.*|Attach Listener"
              + "|Keep-Alive-Timer|MasterPoller|SubPoller-.*|Read-Poller|Write-Poller|junit-.*|surefire-.*|HttpClient-.*"
              + "|boundedElastic-evictor.*|parallel-\\d+|.*-Read-Poller|.*-Write-Poller|C[12] .*");

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  private record Before(Map<Long, String> threads, Set<String> sockets) {}

  @Override
  public void beforeEach(ExtensionContext context) {
    context
        .getStore(STORE)
        .put(Before.class, new Before(JvmThreads.alive(), OpenNetworkSockets.ids()));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Before before = Objects.requireNonNull(context.getStore(STORE).get(Before.class, Before.class));
    try {
      await()
          .atMost(GONE_WITHIN)
          .until(() -> left(before).isEmpty() && socketsLeft(before).isEmpty());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "left behind after %d s: threads %s, sockets %s"
              .formatted(
                  GONE_WITHIN.toSeconds(),
                  left(before),
                  OpenNetworkSockets.describe(socketsLeft(before))),
          e);
    }
  }

  private static Collection<String> left(Before before) {
    Map<Long, String> now = JvmThreads.alive();
    now.keySet().removeAll(before.threads().keySet());
    now.values().removeIf(name -> NOT_OURS.matcher(name).matches());
    return new TreeSet<>(now.values());
  }

  private static Set<String> socketsLeft(Before before) {
    Set<String> now = new TreeSet<>(OpenNetworkSockets.ids());
    now.removeAll(before.sockets());
    return now;
  }
}
