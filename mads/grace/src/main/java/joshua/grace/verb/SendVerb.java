package joshua.grace.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Role;
import joshua.service.admin.MadStatusVerb;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code send}: a message by hand. */
@Command(name = "send", description = "Sends a message on the bus.")
public final class SendVerb implements Verb {
  @Parameters(
      index = "0",
      paramLabel = "TO",
      description = "A participant's name, or a channel such as mad.topic.news or mad.broadcast.")
  private String to;

  @Parameters(
      index = "1",
      paramLabel = "MESSAGE",
      description = "A JSON object, or words that become {\"text\":\"…\"}.")
  private String message;

  @Option(names = "--as", paramLabel = "NAME", description = "Who speaks; without it, grace.")
  private @Nullable String sender;

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    String channel = to.startsWith("mad.") ? to : "mad.direct." + to;
    ObjectNode input = Json.object().put("channel", channel);
    input.set("payload", payload(message));
    if (sender != null) {
      input.put("client_id", sender);
    }
    ObjectNode sent = session.call("grace_send_message", input);
    session.out().json(sent);
    session.out().line("Sent to %s: %s.".formatted(channel, audience(sent)));
    if (sent.has("suggestion")) {
      session.out().line("Did you mean %s?".formatted(sent.get("suggestion").asText()));
    }
  }

  /** What is a JSON object is taken as one; anything else is a text. */
  static ObjectNode payload(String message) {
    try {
      if (Json.parse(message) instanceof ObjectNode object) {
        return object;
      }
    } catch (MalformedJsonException e) {
      // words, then
    }
    return Json.object().put("text", message);
  }

  static String audience(JsonNode answer) {
    return switch (answer.path("addressee").asText()) {
      case "present" -> "it listens now";
      case "queued" -> "it has a queue here, and collects it later";
      case "away" -> "it doesn't listen now, and will not get it";
      case "unknown" ->
          "nobody of that name was heard since this relay started, %s ago"
              .formatted(
                  MadStatusVerb.elapsed(Instant.parse(answer.path("listening_since").asText())));
      default -> {
        // All of this relay's queues together are one subscription.
        long queues = answer.path("queues").asLong();
        long receivers = answer.path("receivers").asLong() + Math.max(0, queues - 1);
        yield receivers == 0
            ? "nobody receives it"
            : "%d %s it".formatted(receivers, receivers == 1 ? "receives" : "receive");
      }
    };
  }
}
