package joshua.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  @Test
  void seesPlatformAndVirtualThreadsWhileTheyLive() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Thread virtual = Thread.ofVirtual().name("a virtual one").start(() -> awaitQuietly(end));
    Thread platform = Thread.ofPlatform().name("a platform one").start(() -> awaitQuietly(end));
    assertThat(JvmThreads.alive()).containsValues("a virtual one", "a platform one");
    end.countDown();
    virtual.join();
    platform.join();
    assertThat(JvmThreads.alive()).doesNotContainValue("a virtual one");
    assertThat(JvmThreads.alive()).doesNotContainValue("a platform one");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
