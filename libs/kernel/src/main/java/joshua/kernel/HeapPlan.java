package joshua.kernel;

/**
 * How the heap of this process is divided among the limits in bytes.
 *
 * @param heapBytes the most that the heap may grow to
 * @param services how many services share it
 */
public record HeapPlan(long heapBytes, int services) {
  /**
   * The part of the heap, in thousandths, that all limits together may take. What is left is room
   * for short-lived objects: a collector that has less of it pauses everybody for long.
   */
  public static final int LIMITED_PERMILLE = 850;

  /** What the program itself keeps, idle: classes' statics, schemas, models of words. */
  public static final long PROGRAM_BYTES = 48L << 20;

  public HeapPlan {
    if (services < 1) {
      throw new IllegalArgumentException("a process has at least one service: " + services);
    }
  }

  /** The plan of this process, which runs so many services. */
  public static HeapPlan ofThisProcess(int services) {
    return new HeapPlan(Runtime.getRuntime().maxMemory(), services);
  }

  /** How many bytes one service may take of that share. */
  public long bytes(HeapShare share) {
    return bytesOfAll(share) / (share.perService() ? services : 1);
  }

  /** How many bytes the share has in all. */
  public long bytesOfAll(HeapShare share) {
    return heapBytes / HeapShare.WHOLE * share.permille();
  }

  /** What all limits together may cost. */
  public long available() {
    return heapBytes / HeapShare.WHOLE * LIMITED_PERMILLE - PROGRAM_BYTES;
  }
}
