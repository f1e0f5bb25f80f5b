package joshua.network.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One scrape of all meters at a time: requests that come while it runs share the next one, so that
 * asking for metrics as often as a rate limit allows costs no more than one scrape after the other.
 * Every page was begun after its request came. Guarded by {@code lock}.
 */
final class CoalescedScrape {
  private final Supplier<byte[]> scrape;
  private final AtomicLong begun = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private byte[] last = new byte[0];
  private long lastNumber;

  CoalescedScrape(Supplier<byte[]> scrape) {
    this.scrape = scrape;
  }

  byte[] page() throws InterruptedException {
    long wanted = begun.get() + 1;
    lock.lockInterruptibly();
    try {
      if (lastNumber < wanted) {
        long number = begun.incrementAndGet();
        last = scrape.get();
        lastNumber = number;
      }
      return last;
    } finally {
      lock.unlock();
    }
  }
}
