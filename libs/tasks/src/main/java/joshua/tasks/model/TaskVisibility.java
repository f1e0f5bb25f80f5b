package joshua.tasks.model;

import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;

/**
 * The rules for which tasks a caller may see, and in whose name it may submit. Without tokens: all;
 * with tokens a viewer sees its own, operators and admins see all, and every caller submits in its
 * own name.
 */
public final class TaskVisibility {
  private TaskVisibility() {}

  public static boolean sees(Caller caller, String requesterId) {
    return caller.identity().isEmpty()
        || caller.role() != Role.VIEWER
        || caller.identity().get().equals(requesterId);
  }

  /** The only requester whose tasks the caller sees; empty: all. */
  public static Optional<String> only(Caller caller) {
    return caller.role() == Role.VIEWER ? caller.identity() : Optional.empty();
  }

  /** Why {@code caller} may not submit as {@code requesterId}, if so. */
  public static Optional<Refusal> refusal(Caller caller, String requesterId) {
    return caller
        .identity()
        .filter(identity -> !identity.equals(requesterId))
        .map(identity ->
            Refusal.of(
                ErrorCode.FORBIDDEN,
                "requester_id must be %s, which your token or key stands for."
                    .formatted(identity)));
  }

  /** The name recorded for a caller's requests. */
  public static String name(Caller caller) {
    return caller.identity().orElse("a caller without a token");
  }
}
