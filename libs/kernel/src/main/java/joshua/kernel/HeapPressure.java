package joshua.kernel;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A monitor of memory exhaustion: how much of the heap is still in use after garbage collection,
 * how much time goes into collecting, and how much direct memory is taken.
 *
 * <p>The watchdog's thread calls {@link #look}; any thread may call {@link #problem}.
 */
final class HeapPressure {
  /** The part of the memory above which its use is a problem. */
  static final double NEARLY_FULL = 0.95;

  /** The part of the time that may go into garbage collection. */
  private static final double MOST_COLLECTING = 0.9;

  private static final Duration SPAN = Duration.ofSeconds(30);

  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final List<MemoryPoolMXBean> oldPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
          .toList();
  private final List<BufferPoolMXBean> direct =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .toList();
  private final long directLimit;
  private long spanBegan;
  private long collectedBefore;
  private volatile boolean heapNearlyFull;
  private volatile boolean directNearlyFull;

  /**
   * Creates a monitor.
   *
   * @param directLimit how many bytes of direct memory may be taken
   */
  HeapPressure(long directLimit, long now) {
    this.directLimit = directLimit;
    this.spanBegan = now;
    this.collectedBefore = collectedMillis();
  }

  /** Checks memory once; returns the reason if the process has to end. */
  Optional<String> look(long now) {
    boolean wasNearlyFull = heapNearlyFull;
    heapNearlyFull = oldPools.stream().anyMatch(HeapPressure::nearlyFull);
    directNearlyFull =
        direct.stream().anyMatch(pool -> pool.getMemoryUsed() > directLimit * NEARLY_FULL);
    long span = now - spanBegan;
    if (span < SPAN.toNanos()) {
      return Optional.empty();
    }
    long collected = collectedMillis();
    long collecting = collected - collectedBefore;
    spanBegan = now;
    collectedBefore = collected;
    if (!heapNearlyFull) {
      return Optional.empty();
    }
    Optional<String> full = full(Duration.ofMillis(collecting), Duration.ofNanos(span));
    if (full.isEmpty() && wasNearlyFull) {
      // Objects that became garbage since the last collection are only found by the next one.
      System.gc();
    }
    return full;
  }

  /** The reason to end a process whose heap is nearly full, if it does little but collect. */
  static Optional<String> full(Duration collecting, Duration span) {
    return collecting.toNanos() > span.toNanos() * MOST_COLLECTING
        ? Optional.of(
            "the heap is full: %d of the last %d s went into garbage collection"
                .formatted(collecting.toSeconds(), span.toSeconds()))
        : Optional.empty();
  }

  private static boolean nearlyFull(MemoryPoolMXBean pool) {
    MemoryUsage collected = pool.getCollectionUsage();
    MemoryUsage now = pool.getUsage();
    return collected != null && now != null && nearlyFull(collected) && nearlyFull(now);
  }

  private static boolean nearlyFull(MemoryUsage usage) {
    return usage.getMax() > 0 && usage.getUsed() > usage.getMax() * NEARLY_FULL;
  }

  private long collectedMillis() {
    long all = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      all += Math.max(0, collector.getCollectionTime());
    }
    return all;
  }

  /** The memory that is nearly used up, as a sentence. */
  Optional<String> problem() {
    if (heapNearlyFull) {
      return Optional.of("the heap is nearly full, also after garbage collection");
    }
    return directNearlyFull ? Optional.of("the direct memory is nearly used up") : Optional.empty();
  }
}
