package joshua.grace.tool;

import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.Cursors.Cursor;
import joshua.grace.queue.Loss;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/** Input checks and refusals that several tools share. */
final class Refusals {
  static final String CLIENT = "Your name on the bus";

  private Refusals() {}

  /** Reads texts into a list of topics. */
  static Optional<Refusal> readTopics(List<String> texts, List<ChannelPattern> topics) {
    for (int i = 0; i < texts.size(); i++) {
      Optional<ChannelPattern> topic = ChannelPattern.parse(texts.get(i));
      if (topic.isEmpty()) {
        return Optional.of(Refusal.invalidInput("topics[%d]".formatted(i), ChannelPattern.RULE));
      }
      topics.add(topic.get());
    }
    return Optional.empty();
  }

  static Optional<Refusal> ofCursor(String clientId, @Nullable String cursor) {
    return cursor == null || Cursor.parse(clientId, cursor).isPresent()
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
              "Client '%s' hasn't subscribed since this relay started; a queue that it had before is"
                  + " lost. Call grace_subscribe, with your last cursor if you have one: what waits"
                  + " comes then.";
          case EVICTED ->
              "Client '%s' has no queue here any more: it made room for others, an administrator"
                  + " dropped it, or its client may read less now. Call grace_subscribe again.";
          case OVERFLOW, RECONNECT -> "Client '%s' has no queue here. Call grace_subscribe first.";
        };
    Refusal refusal = Refusal.of(ErrorCode.NOT_SUBSCRIBED, sentence.formatted(clientId));
    return gap.map(loss -> refusal.with("gap", Json.mapper().valueToTree(loss))).orElse(refusal);
  }
}
