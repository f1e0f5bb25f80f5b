package joshua.network.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Scrapes of all meters, one at a time: requests that come during one share the next, so that
 * requests at the highest allowed rate cost no more than one scrape after the other. A scrape
 * always begins after the request came. Guarded by {@code lock}.
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
