package joshua.bench;

import java.util.List;

/** One thing that a group is measured at. */
interface BenchmarkScenario {
  /** For files and options: {@code mcp_calls}. */
  String name();

  /** For people. */
  String title();

  /**
   * Works within the limit, and checks what came of it.
   *
   * @param marker part of every name that is used, so that one run after another on one group
   *     doesn't meet what was left of the first
   * @throws BenchmarkException if a single call was refused, or anything was lost or came twice
   */
  List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException;
}
