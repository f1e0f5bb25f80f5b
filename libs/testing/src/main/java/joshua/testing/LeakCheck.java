package joshua.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves threads (virtual ones too) or sockets behind.
 * {@code @ExtendWith(LeakCheck.class)}, on a class that runs {@code @Isolated}: others' threads
 * would be taken for its own. Sockets are counted where the system has {@code /proc}.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Duration GONE_WITHIN = Duration.ofSeconds(5);
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** Threads of the JVM and of libraries that stay, or end by themselves when idle. */
  private static final Pattern NOT_OURS =
      Pattern.compile(
          "ForkJoinPool.*|CompletableFutureDelayScheduler.*|VirtualThread-.*|process reaper.*"
              + "|globalEventExecutor.*|Common-Cleaner|Cleaner-\\d+|awaitility-.*|Attach Listener"
              + "|Keep-Alive-Timer|Read-Poller|Write-Poller|junit-.*|surefire-.*|HttpClient-.*"
              + "|boundedElastic-evictor.*|parallel-\\d+|.*-Read-Poller|.*-Write-Poller|C[12] .*");

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  private record Before(Map<Long, String> threads, long sockets) {}

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(STORE).put(Before.class, new Before(Threads.alive(), sockets()));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Before before = Objects.requireNonNull(context.getStore(STORE).get(Before.class, Before.class));
    try {
      await()
          .atMost(GONE_WITHIN)
          .until(() -> left(before).isEmpty() && sockets() <= before.sockets());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "left behind after %d s: threads %s, %d sockets more than before"
              .formatted(GONE_WITHIN.toSeconds(), left(before), sockets() - before.sockets()),
          e);
    }
  }

  private static Collection<String> left(Before before) {
    Map<Long, String> now = Threads.alive();
    now.keySet().removeAll(before.threads().keySet());
    now.values().removeIf(name -> NOT_OURS.matcher(name).matches());
    return new TreeSet<>(now.values());
  }

  private static long sockets() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      return descriptors.filter(LeakCheck::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      // Closed since it was listed.
      return false;
    }
  }
}
