package joshua.tasks;

import java.util.UUID;
import joshua.kernel.Refusal;

/** What became of a request for a task. */
public sealed interface AcceptanceResult {

  /**
   * The task is durable.
   *
   * @param repeated whether it was there before, under the same idempotency key
   */
  record Accepted(UUID taskId, UUID conversationId, UUID correlationId, boolean repeated)
      implements AcceptanceResult {}

  /** There is no task. */
  record Refused(Refusal refusal) implements AcceptanceResult {}
}
