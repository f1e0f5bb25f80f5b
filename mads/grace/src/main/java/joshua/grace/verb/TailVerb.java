package joshua.grace.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import joshua.conversation.envelope.PayloadText;
import joshua.grace.queue.ClientPresence;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbOutput;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tail}: what is said on the bus, as it is said. It is a client like any other. */
@Command(name = "tail", description = "Shows messages as they come, until Ctrl-C. Times are UTC.")
public final class TailVerb implements Verb {
  @Parameters(
      arity = "0..*",
      paramLabel = "TOPIC",
      description = "Channels or globs; all that participants say, if there are none.")
  private List<String> topics = List.of();

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after so many messages; 0: never.")
  private int most;

  @Option(names = "-v", description = "Show the ids of each message, too.")
  private boolean withIds;

  @Override
  public Role role() {
    return Role.ADMIN; // it polls under a name of its own
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    String name = ClientPresence.WATCHER + UUID.randomUUID().toString().substring(0, 8);
    ObjectNode self = Json.object().put("client_id", name);
    ObjectNode subscription = self.deepCopy();
    (topics.isEmpty() ? List.of("mad.*") : topics).forEach(subscription.putArray("topics")::add);
    ObjectNode answer = session.call("grace_subscribe", subscription);
    session.out().note("Following %s.".formatted(answer.get("topics")));
    try {
      follow(session, self.deepCopy().put("wait_ms", 30_000), answer);
    } finally {
      session.call("grace_unsubscribe", self);
    }
  }

  private void follow(VerbSession session, ObjectNode poll, ObjectNode subscribed)
      throws VerbFailedException, InterruptedException {
    ObjectNode answer = subscribed;
    for (int shown = 0; most == 0 || shown < most; ) {
      poll.set("cursor", answer.get("cursor"));
      answer = session.call("grace_poll_messages", poll);
      if (answer.get("gap").isObject()) {
        session.out().note(MessageText.ofGap(answer.get("gap")));
      }
      for (JsonNode message : answer.get("messages")) {
        if (most == 0 || shown++ < most) {
          show(session.out(), message);
        }
      }
    }
  }

  private void show(VerbOutput out, JsonNode message) {
    out.json(message);
    "%s %s > %s: %s"
        .formatted(
            MessageText.timeOf(message),
            message.path("sender_id").asText(),
            message.path("channel").asText(),
            PayloadText.of(message.path("payload")))
        .replaceAll("\\R", "\n  ")
        .lines()
        .forEach(out::line);
    if (withIds) {
      for (String id : List.of("message_id", "conversation_id", "correlation_id")) {
        out.line("  %s %s".formatted(id, message.path(id).asText()));
      }
    }
  }
}
