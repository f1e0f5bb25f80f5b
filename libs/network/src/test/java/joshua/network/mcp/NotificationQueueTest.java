package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NotificationQueueTest {
  private final Semaphore batches = new Semaphore(0);
  private final NotificationQueue feed = new NotificationQueue(duration -> batches.acquire());
  private final LinkedBlockingQueue<CatalogChange> told = new LinkedBlockingQueue<>();

  @Test
  void theFirstChangeIsToldAtOnceAndRepeatsOfTheNextSpanOnce() throws Exception {
    Thread running = start();
    CatalogChange first = new CatalogChange.Resource("a");
    feed.tell(first);
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(first);
    for (int i = 0; i < 1000; i++) {
      feed.tell(first);
      feed.tell(CatalogChange.Lists.TOOLS);
    }
    assertThat(told).isEmpty();
    batches.release();
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(first);
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(CatalogChange.Lists.TOOLS);
    feed.end();
    batches.release();
    running.join();
    assertThat(told).isEmpty();
  }

  @Test
  void onlyWhatIsWantedIsPassedOnAndNothingAfterTheEnd() {
    ChangeNotifier changeNotifier = new ChangeNotifier();
    ResourceSubscription resourceSubscription =
        changeNotifier.subscribe(
            java.util.Set.of(new CatalogChange.Task("t-1"), CatalogChange.Lists.PROMPTS), feed);
    changeNotifier.toolsChanged();
    changeNotifier.taskChanged("t-2");
    changeNotifier.taskChanged("t-1");
    resourceSubscription.close();
    changeNotifier.promptsChanged();
    Thread running = start();
    batches.release();
    assertThat(poll()).isEqualTo(new CatalogChange.Task("t-1"));
    feed.end();
    batches.release();
    assertThat(join(running)).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void whoTakesOverEndsTheEarlierRunAndHearsEverythingFromThenOn() {
    Thread earlier = start();
    feed.tell(CatalogChange.Lists.TOOLS);
    assertThat(poll()).isEqualTo(CatalogChange.Lists.TOOLS);
    LinkedBlockingQueue<CatalogChange> toldLater = new LinkedBlockingQueue<>();
    Thread later = start(toldLater);
    batches.release();
    assertThat(join(earlier)).isTrue();
    feed.tell(CatalogChange.Lists.PROMPTS);
    assertThat(poll(toldLater)).isEqualTo(CatalogChange.Lists.PROMPTS);
    assertThat(feed.isRunning()).isTrue();
    feed.end();
    batches.release();
    assertThat(join(later)).isTrue();
    assertThat(feed.isRunning()).isFalse();
    assertThat(told).isEmpty();
  }

  private CatalogChange poll() {
    return poll(told);
  }

  private static CatalogChange poll(LinkedBlockingQueue<CatalogChange> told) {
    try {
      return told.poll(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(java.time.Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Thread start() {
    return start(told);
  }

  private Thread start(LinkedBlockingQueue<CatalogChange> told) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            feed.run(told::add);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }
}
