package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Concurrent scrapes share the work, and no caller gets an old page. */
final class CoalescedScrapeTest {
  private static final int CALLERS = 50;

  @Test
  void whoComesDuringAScrapeSharesTheNextOne() throws Exception {
    AtomicInteger scrapes = new AtomicInteger();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CoalescedScrape scrape =
        new CoalescedScrape(() -> {
          int number = scrapes.incrementAndGet();
          running.countDown();
          awaitQuietly(go);
          return Integer.toString(number).getBytes(UTF_8);
        });
    FutureTask<String> first = start(scrape).task();
    running.await();
    List<Caller> callers = Stream.generate(() -> start(scrape)).limit(CALLERS).toList();
    await()
        .until(() ->
            callers.stream()
                .allMatch(caller -> caller.thread().getState() == Thread.State.WAITING));
    go.countDown();
    assertThat(first.get()).isEqualTo("1");
    for (Caller caller : callers) {
      assertThat(caller.task().get()).as("one was running, one is for all others").isEqualTo("2");
    }
    assertThat(new String(scrape.page(), UTF_8)).as("never an old page").isEqualTo("3");
  }

  /** A caller that requests the page. */
  private record Caller(Thread thread, FutureTask<String> task) {}

  private static Caller start(CoalescedScrape scrape) {
    FutureTask<String> task = new FutureTask<>(() -> new String(scrape.page(), UTF_8));
    return new Caller(Thread.ofPlatform().daemon().start(task), task);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
