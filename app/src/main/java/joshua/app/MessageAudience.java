package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailable;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.grace.Grace;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import joshua.ssh.socket.AdminSocketClient;

/**
 * Who gets what {@code joshua send} has sent, as far as can be told from here (wire contract §3).
 *
 * @param receivers subscriptions that matched, without the taps of the group that runs here
 * @param addressee of a direct message {@code present}, {@code away} or {@code unknown}; empty
 *     where nobody can say
 */
record MessageAudience(long receivers, Optional<String> addressee) {
  private static final String PRESENT = "present";

  /**
   * Asks Redis who listens by name, and the Grace that runs here where nobody does.
   *
   * @param counted subscriptions that matched, by Redis' own reply
   */
  static MessageAudience of(Channel channel, long counted, ConversationBus bus, Settings settings)
      throws InterruptedException {
    long named = named(channel, bus);
    long others = Math.max(counted - taps(settings), named);
    if (channel.recipient().isEmpty()) {
      return new MessageAudience(others, Optional.empty());
    }
    if (named > 0) {
      return new MessageAudience(others, Optional.of(PRESENT));
    }
    return answerOfGrace(channel, counted, settings)
        .orElseGet(() -> new MessageAudience(others, Optional.empty()));
  }

  private static long named(Channel channel, ConversationBus bus) throws InterruptedException {
    try {
      return bus.listeners(List.of(channel)).getFirst();
    } catch (BusUnavailable e) {
      return 0;
    }
  }

  /** Rogers sees everything by a subscription of its own. */
  private static long taps(Settings settings) {
    try {
      return RunFile.find(settings.get(KnownSettings.DATA_DIR))
          .filter(run -> run.ports().containsKey(Rogers.NAME))
          .map(_ -> 1L)
          .orElse(0L);
    } catch (IOException | Unavailable e) {
      return 0;
    }
  }

  private static Optional<MessageAudience> answerOfGrace(
      Channel channel, long counted, Settings settings) {
    try {
      VerbAnswer answer =
          VerbAnswer.of(
              Grace.NAME,
              List.of(
                  "listeners", channel.name(), "--counted", Long.toString(counted), "-o", "json"),
              settings);
      if (answer.status() != 0) {
        return Optional.empty();
      }
      JsonNode told = Json.parse(answer.text());
      return Optional.of(
          new MessageAudience(
              told.path("receivers").asLong(), Optional.of(told.path("addressee").asText())));
    } catch (AdminSocketClient.Absent | Json.Malformed e) {
      return Optional.empty();
    }
  }

  /** The same as a clause. */
  String words(Channel channel) {
    String name = channel.recipient().orElse("");
    return switch (addressee.orElse("")) {
      case "away" -> "%s is away: it will not get this".formatted(name);
      case "unknown" -> "no participant named %s was heard: is it spelled so?".formatted(name);
      default ->
          receivers == 0
              ? "nobody listens on " + channel
              : "%d %s matched"
                  .formatted(receivers, receivers == 1 ? "subscription" : "subscriptions");
    };
  }
}
