package joshua.e2e;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The agent that {@link JvmFault} attaches to a JVM. It knows nothing about the program there. */
public final class FaultAgent {
  private static final int MIB = 1 << 20;

  /** Small enough to fill the regions of a heap without much waste. */
  private static final int BLOCK = MIB / 16;

  private static final int BLOCKS_AT_ONCE = 2;
  private static final double NEARLY_ALL = 0.965;
  private static final long STACK_THAT_NOBODY_HAS = 1L << 46;
  private static final List<Object> HELD = new ArrayList<>();

  private FaultAgent() {}

  /** Starts the fault of that name. */
  public static void agentmain(String fault) {
    Thread.ofPlatform()
        .daemon()
        .name("fault")
        .start(
            switch (fault) {
              case "HEAP" -> () -> takeAll(byte[]::new);
              case "NEARLY_FULL_HEAP" -> FaultAgent::takeNearlyAll;
              case "RELEASE" -> HELD::clear;
              case "DIRECT_MEMORY" -> () -> takeAll(ByteBuffer::allocateDirect);
              default -> FaultAgent::startThread;
            });
  }

  private static void takeAll(IntFunction<Object> take) {
    for (int size = MIB; size > 0; size /= 2) {
      try {
        while (true) {
          HELD.add(take.apply(size));
        }
      } catch (OutOfMemoryError e) {
        // The next ones are smaller.
      }
    }
  }

  /** The old generation, up to a part that exceeds none of our thresholds. */
  private static void takeNearlyAll() {
    MemoryPoolMXBean old =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
            .findFirst()
            .orElseThrow();
    for (long missing = missing(old); missing > 0; missing = missing(old)) {
      // Half of it each time: a collection every few blocks would keep the process from its work.
      for (long i = Math.max(BLOCKS_AT_ONCE, missing / 2 / BLOCK); i > 0; i--) {
        HELD.add(new byte[BLOCK]);
      }
      System.gc();
    }
  }

  private static long missing(MemoryPoolMXBean pool) {
    return (long) (pool.getUsage().getMax() * NEARLY_ALL) - pool.getUsage().getUsed();
  }

  private static void startThread() {
    new Thread(null, () -> {}, "one-more", STACK_THAT_NOBODY_HAS).start();
  }
}
