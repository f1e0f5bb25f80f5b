package joshua.kernel;

/**
 * The part of the heap that one kind of use may take, for limits in bytes that grow with the heap.
 * Each owner declares its own beside the code that enforces it; {@link HeapPlan} turns it into
 * bytes.
 *
 * @param permille thousandths of the heap, for all services of the process together
 * @param perService whether it is divided equally among the services of the process
 */
public record HeapShare(int permille, boolean perService) {
  /** The whole heap, in the unit of {@link #permille}. */
  static final int WHOLE = 1_000;

  public HeapShare {
    if (permille < 1 || permille > WHOLE) {
      throw new IllegalArgumentException("a share must be 1 to 1000 thousandths: " + permille);
    }
  }

  /** A share that is divided equally among the services of the process. */
  public static HeapShare ofEachService(int permille) {
    return new HeapShare(permille, true);
  }

  /** A share of one service, regardless of the services that run beside it. */
  public static HeapShare ofOneService(int permille) {
    return new HeapShare(permille, false);
  }
}
