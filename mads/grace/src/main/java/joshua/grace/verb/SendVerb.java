package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code send}: a message by hand. */
@Command(name = "send", description = "Sends a message on the bus.")
public class SendVerb implements Verb {
  @Parameters(
      index = "0",
      paramLabel = "TO",
      description = "A participant's name; to send, also mad.topic.news or mad.broadcast.")
  String to;

  @Parameters(
      index = "1",
      paramLabel = "MESSAGE",
      description = "A JSON object, or words that become {\"text\":\"…\"}.")
  String message;

  @Option(names = "--as", paramLabel = "NAME", description = "Who speaks; you, if left out.")
  private @Nullable String sender;

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    String channel = to.startsWith("mad.") ? to : "mad.direct." + to;
    ObjectNode input = Json.object().put("channel", channel);
    input.put("client_id", speaker(session)).set("payload", MessageText.payload(message));
    ObjectNode sent = session.call("grace_send_message", input);
    session.out().json(sent);
    session.out().line("Sent to %s: %s.".formatted(channel, MessageText.ofAudience(sent)));
    if (sent.has("suggestion")) {
      session.out().line("Did you mean %s?".formatted(sent.get("suggestion").asText()));
    }
  }

  /** The name by which somebody speaks, which gets a queue for answers. */
  final String speaker(VerbSession session) throws VerbFailedException, InterruptedException {
    String name = sender == null ? session.person() : sender;
    ObjectNode subscription = Json.object().put("client_id", name);
    subscription.putArray("topics").add("mad.direct." + name);
    session.call("grace_subscribe", subscription);
    return name;
  }
}
