package joshua.grace.tool;

import java.util.Optional;
import joshua.grace.queue.Cursor;
import joshua.grace.queue.Loss;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/** The refusals that have to do with a client's queue and its cursor. */
final class Cursors {
  private Cursors() {}

  static Optional<Refusal> refusal(String clientId, @Nullable String cursor) {
    return cursor == null || Cursor.isValid(clientId, cursor)
        ? Optional.empty()
        : Optional.of(
            Refusal.invalidInput(
                "cursor",
                "must be one that this relay has given to %s, or be left out".formatted(clientId)));
  }

  static Refusal notSubscribed(String clientId, Optional<Loss> gap) {
    String sentence =
        switch (gap.map(Loss::reason).orElse(Loss.Reason.OVERFLOW)) {
          case RESTART ->
              "Client '%s' has no queue here: this relay was started anew since its cursor was"
                  + " given. Call grace_subscribe with that cursor.";
          case EVICTED ->
              "Client '%s' has no queue here any more: it made room for others, an administrator"
                  + " dropped it, or its client may read less now. Call grace_subscribe again.";
          case OVERFLOW, RECONNECT -> "Client '%s' has no queue here. Call grace_subscribe first.";
        };
    Refusal refusal = Refusal.of(ErrorCode.NOT_SUBSCRIBED, sentence.formatted(clientId));
    return gap.map(loss -> refusal.with("gap", Json.mapper().valueToTree(loss))).orElse(refusal);
  }
}
