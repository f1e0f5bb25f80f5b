package joshua.kernel;

/**
 * How the heap of this process is divided among the limits in bytes.
 *
 * @param heapBytes the maximum size of the heap
 * @param services how many services share it
 */
public record HeapPlan(long heapBytes, int services) {
  /**
   * The part of the heap, in thousandths, that all limits together may take. The rest is room for
   * short-lived objects: with less of it, the collector pauses all threads for long.
   */
  public static final int LIMITED_PERMILLE = 850;

  /** What the program itself keeps when idle: static fields, schemas, word models. */
  public static final long PROGRAM_BYTES = 48L << 20;

  public HeapPlan {
    if (services < 1) {
      throw new IllegalArgumentException("a process has at least one service: " + services);
    }
  }

  /** The plan of this process, which runs {@code services} services. */
  public static HeapPlan ofThisProcess(int services) {
    return new HeapPlan(Runtime.getRuntime().maxMemory(), services);
  }

  /** How many bytes of that share one service may take. */
  public long bytes(HeapShare share) {
    return bytesOfAll(share) / (share.perService() ? services : 1);
  }

  /** How many bytes the share has for all services together. */
  public long bytesOfAll(HeapShare share) {
    return heapBytes / HeapShare.WHOLE * share.permille();
  }

  /** How much memory all limits together may cost. */
  public long available() {
    return heapBytes / HeapShare.WHOLE * LIMITED_PERMILLE - PROGRAM_BYTES;
  }
}
