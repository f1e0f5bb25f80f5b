package joshua.bench;

import java.util.List;

/** A scenario that measures a group. */
interface BenchmarkScenario {
  /** The name in tables, files and options: {@code mcp_calls}. */
  String name();

  /**
   * Works within the limit, and checks the outcome.
   *
   * @param marker part of every name that is used, so that a second run on the same group doesn't
   *     meet what the first left behind
   * @throws BenchmarkException if a single call was refused, or anything was lost or came twice
   */
  List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException;
}
