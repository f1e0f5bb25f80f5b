package joshua.grace.tool;

import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Refusal;
import joshua.network.Access;
import joshua.network.Caller;
import org.jspecify.annotations.Nullable;

/** The members that several tools have in common, as schemas and as they are checked. */
final class Names {
  static final String CLIENT = "Your name on the bus";

  /** The most characters of a topic or channel. */
  static final int LONGEST = 256;

  private Names() {}

  static Optional<Refusal> actingAs(Caller caller, @Nullable String clientId) {
    return clientId == null ? Optional.empty() : Access.toActAs(caller, "client_id", clientId);
  }

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
}
