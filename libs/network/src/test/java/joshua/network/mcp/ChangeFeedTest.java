package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChangeFeedTest {
  private final Semaphore batches = new Semaphore(0);
  private final ChangeFeed feed = new ChangeFeed(duration -> batches.acquire());
  private final LinkedBlockingQueue<Change> told = new LinkedBlockingQueue<>();

  @Test
  void theFirstChangeIsToldAtOnceAndRepeatsOfTheNextSpanOnce() throws Exception {
    Thread running = start();
    Change first = new Change.Resource("a");
    feed.tell(first);
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(first);
    for (int i = 0; i < 1000; i++) {
      feed.tell(first);
      feed.tell(Change.Lists.TOOLS);
    }
    assertThat(told).isEmpty();
    batches.release();
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(first);
    assertThat(told.poll(5, TimeUnit.SECONDS)).isEqualTo(Change.Lists.TOOLS);
    feed.end();
    batches.release();
    running.join();
    assertThat(told).isEmpty();
  }

  @Test
  void onlyWhatIsWantedIsPassedOnAndNothingAfterTheEnd() {
    Changes changes = new Changes();
    Subscription subscription =
        changes.subscribe(java.util.Set.of(new Change.Task("t-1"), Change.Lists.PROMPTS), feed);
    changes.toolsChanged();
    changes.taskChanged("t-2");
    changes.taskChanged("t-1");
    subscription.close();
    changes.promptsChanged();
    Thread running = start();
    batches.release();
    assertThat(poll()).isEqualTo(new Change.Task("t-1"));
    feed.end();
    batches.release();
    assertThat(join(running)).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void whoTakesOverEndsTheEarlierRunAndHearsEverythingFromThenOn() {
    Thread earlier = start();
    feed.tell(Change.Lists.TOOLS);
    assertThat(poll()).isEqualTo(Change.Lists.TOOLS);
    LinkedBlockingQueue<Change> toldLater = new LinkedBlockingQueue<>();
    Thread later = start(toldLater);
    batches.release();
    assertThat(join(earlier)).isTrue();
    feed.tell(Change.Lists.PROMPTS);
    assertThat(poll(toldLater)).isEqualTo(Change.Lists.PROMPTS);
    assertThat(feed.isRunning()).isTrue();
    feed.end();
    batches.release();
    assertThat(join(later)).isTrue();
    assertThat(feed.isRunning()).isFalse();
    assertThat(told).isEmpty();
  }

  private Change poll() {
    return poll(told);
  }

  private static Change poll(LinkedBlockingQueue<Change> told) {
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

  private Thread start(LinkedBlockingQueue<Change> told) {
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
