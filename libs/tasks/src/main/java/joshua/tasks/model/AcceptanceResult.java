package joshua.tasks.model;

import java.util.UUID;
import joshua.kernel.Refusal;

/** The result of a request for a task. */
public sealed interface AcceptanceResult {

  /**
   * The task is durable.
   *
   * @param repeated whether it already existed, under the same idempotency key
   */
  record Accepted(UUID taskId, UUID conversationId, UUID correlationId, boolean repeated)
      implements AcceptanceResult {}

  /** No task was created. */
  record Refused(Refusal refusal) implements AcceptanceResult {}
}
