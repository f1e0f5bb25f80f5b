package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.Channel;
import joshua.conversation.OutgoingMessage;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a message that a subcommand sends, besides its channel. */
final class MessageOptions {
  static final String PAYLOAD =
      "A JSON object; - reads it from standard input. Default: ${DEFAULT-VALUE}";

  private static final int LARGEST_INPUT = 64 * 1024 * 1024;

  @Option(
      names = "--as",
      defaultValue = "cli",
      paramLabel = "ID",
      description = "Who speaks. Default: ${DEFAULT-VALUE}")
  private String sender = "cli";

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "Which exchange it is part of; the beginning of its id is enough.")
  private @Nullable String conversation;

  @Option(
      names = "--correlation",
      paramLabel = "UUID",
      description = "Which request it belongs to; the beginning of its id is enough.")
  private @Nullable String correlation;

  /** The sender. */
  String sender() {
    return sender;
  }

  /**
   * Creates the message.
   *
   * @param payload as it was typed
   * @param problems those found so far; more are added
   */
  OutgoingMessage draft(
      Optional<Channel> channel, String payload, List<String> problems, Settings settings)
      throws UsageException, IOException {
    if (!BusIdentifiers.isIdentifier(sender)) {
      problems.add("--as " + BusIdentifiers.IDENTIFIER_RULE);
    }
    KnownIds ids = new KnownIds(settings);
    Optional<UUID> exchange = ids.find(KnownIds.Kind.CONVERSATION, conversation, problems);
    Optional<UUID> request = ids.find(KnownIds.Kind.CORRELATION, correlation, problems);
    Optional<ObjectNode> content = content(payload, problems);
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    OutgoingMessage outgoingMessage =
        OutgoingMessage.on(channel.orElseThrow(), content.orElseThrow());
    outgoingMessage = exchange.map(outgoingMessage::conversation).orElse(outgoingMessage);
    return request.map(outgoingMessage::correlation).orElse(outgoingMessage);
  }

  private static Optional<ObjectNode> content(String payload, List<String> problems)
      throws IOException {
    String text =
        payload.equals("-")
            ? new String(System.in.readNBytes(LARGEST_INPUT), StandardCharsets.UTF_8)
            : payload;
    try {
      JsonNode node = Json.parse(text);
      if (node instanceof ObjectNode object) {
        return Optional.of(object);
      }
      problems.add("PAYLOAD must be a JSON object");
    } catch (Json.MalformedJsonException e) {
      problems.add("PAYLOAD " + e.getMessage());
    }
    return Optional.empty();
  }
}
