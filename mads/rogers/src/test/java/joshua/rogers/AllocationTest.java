package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tool.MetricsCollector;
import joshua.testing.MessageFlood;
import org.junit.jupiter.api.Test;

class AllocationTest {
  /** Includes Lettuce's reading of the socket; the counting itself allocates nothing. */
  private static final long MOST_BYTES = 16;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void fromTheSocketToTheCounterNextToNothingIsMade() throws Exception {
    AtomicLong thread = new AtomicLong();
    MessageObserver noteThread = observedMessage -> thread.set(Thread.currentThread().threadId());
    try (ObserverFixture fixture = ObserverFixture.start();
        MessageFlood messageFlood =
            new MessageFlood(
                fixture.redis().port(),
                fixture.redis().password(),
                MessageFlood.talk(20, 1_000, new Random(1)))) {
      MetricsCollector collector = fixture.collector(List.of(noteThread));
      FloodRate.measure(messageFlood, 50_000, collector::messages);
      long before = THREADS.getThreadAllocatedBytes(thread.get());
      long messages = 100_000;
      FloodRate.measure(messageFlood, messages, collector::messages);
      double each = (THREADS.getThreadAllocatedBytes(thread.get()) - before) / (double) messages;
      System.out.printf("bytes allocated for one message on the tap's thread: %.1f%n", each);
      assertThat(each).isBetween(0.0, (double) MOST_BYTES);
    }
  }
}
