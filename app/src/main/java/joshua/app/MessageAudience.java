package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.grace.Grace;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import joshua.ssh.socket.AdminSocketClient;

/**
 * The receivers of what {@code joshua send} has sent, as far as they can be determined from here
 * (wire contract §3).
 *
 * @param receivers subscriptions that matched, without the taps of the group that runs here
 * @param addressee of a direct message {@code present}, {@code away} or {@code unknown}; empty
 *     where that can't be determined
 * @param silentSince the last call of an addressee that is a client of Grace and has made none for
 *     two minutes
 */
record MessageAudience(long receivers, Optional<String> addressee, Optional<String> silentSince) {
  private static final String PRESENT = "present";

  /**
   * Asks Redis how many clients listen by name and, for a direct message, the Grace that runs here.
   *
   * @param counted subscriptions that matched, by Redis' own reply
   */
  static MessageAudience of(Channel channel, long counted, ConversationBus bus, Settings settings)
      throws InterruptedException {
    long named = named(channel, bus);
    long others = Math.max(counted - taps(settings), named);
    MessageAudience alone =
        new MessageAudience(
            others, channel.recipient().filter(_ -> named > 0).map(_ -> PRESENT), Optional.empty());
    return channel.recipient().isEmpty()
        ? alone
        : answerOfGrace(channel, counted, settings).orElse(alone);
  }

  private static long named(Channel channel, ConversationBus bus) throws InterruptedException {
    try {
      return bus.listeners(List.of(channel)).getFirst();
    } catch (BusUnavailableException e) {
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
    } catch (IOException | ServiceUnavailableException e) {
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
              told.path("receivers").asLong(),
              Optional.of(told.path("addressee").asText()),
              Optional.of(told.path("silent_since").asText("")).filter(since -> !since.isEmpty())));
    } catch (AdminSocketClient.NoServerException | Json.MalformedJsonException e) {
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
              : "%d %s matched%s"
                  .formatted(
                      receivers,
                      receivers == 1 ? "subscription" : "subscriptions",
                      silentSince
                          .map(
                              ", but %s has made no call since %%s (its queue keeps this)"
                                      .formatted(name)
                                  ::formatted)
                          .orElse(""));
    };
  }
}
