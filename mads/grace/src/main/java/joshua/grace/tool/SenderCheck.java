package joshua.grace.tool;

import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Caller;

/** Whose name a call is made in, and whether the caller may use it (wire contract §3). */
final class SenderCheck {
  private SenderCheck() {}

  /** Why {@code caller} may not act as {@code clientId}, if so. */
  static Optional<Refusal> refusal(Caller caller, String clientId) {
    return caller
        .identity()
        .filter(identity -> !identity.equals(clientId))
        .map(identity ->
            Refusal.of(
                ErrorCode.FORBIDDEN,
                "client_id must be %s, which your token or key stands for.".formatted(identity)));
  }
}
