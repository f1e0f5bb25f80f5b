package joshua.network.mcp;

import static joshua.kernel.ResourceLimit.count;

import java.util.List;
import joshua.kernel.HeapPlan;
import joshua.kernel.ResourceLimit;

/** The limits on what MCP clients may take of each service (+JN-03). */
public final class McpLimits {
  /** A watch with its name, its place, and what it runs (measured: 390 bytes). */
  private static final long OF_A_WATCH = 400;

  private McpLimits() {}

  /** For all services of a process. */
  public static List<ResourceLimit> list(HeapPlan plan) {
    return List.of(
        count(
            "mcp.watches",
            "resources and tasks that all clients of a service watch",
            WatchBudget.MAX_WATCHES,
            plan.services() * OF_A_WATCH,
            "left out of the acknowledgement; `resources/subscribe`: -31000, `overloaded`"),
        count(
            "mcp.watches-of-a-token",
            "the same, of one token",
            WatchBudget.MAX_OF_A_TOKEN,
            0,
            "left out of the acknowledgement; `resources/subscribe`: -31000, `overloaded`"),
        count(
            "mcp.pending-asks",
            "questions that await a client's answer, of a service",
            PendingAsks.MAX_PENDING,
            plan.services() * 300L,
            "the tool goes on without an answer"));
  }
}
