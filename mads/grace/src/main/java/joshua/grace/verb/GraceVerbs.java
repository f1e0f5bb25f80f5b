package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.conversation.envelope.PayloadText;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.ssh.TableVerb;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbOutput;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of the relay. */
public final class GraceVerbs {
  /** All verbs, in the order in which help lists them. */
  public static final List<Class<? extends Verb>> ALL =
      List.of(Send.class, Request.class, TailVerb.class, Clients.class, Drop.class);

  private GraceVerbs() {}

  @Command(name = "send", description = "Sends a message on the bus.")
  static class Send implements Verb {
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

    /** The sender's name, which gets a queue for answers. */
    final String speaker(VerbSession session) throws VerbFailedException, InterruptedException {
      String name = sender == null ? session.person() : sender;
      ObjectNode subscription = Json.object().put("client_id", name);
      subscription.putArray("topics").add("mad.direct." + name);
      session.call("grace_subscribe", subscription);
      return name;
    }
  }

  @Command(name = "request", description = "Sends to a participant, and shows its reply.")
  static final class Request extends Send {
    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        defaultValue = "10",
        description = "How long to wait for the reply, at most 25 s.")
    private int waitSeconds;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("to", to).put("timeout_ms", waitSeconds * 1_000L);
      input.put("client_id", speaker(session));
      input.set("payload", MessageText.payload(message));
      ObjectNode answer = session.call("grace_request", input);
      session.out().json(answer);
      if (answer.path("reply").isNull()) {
        boolean mayCome = answer.path("addressee").asText().matches("present|queued");
        String why = MessageText.ofAudience(answer);
        String later = mayCome ? " A later one is in the inbox." : "";
        throw new VerbFailedException(
            Refusal.of(ErrorCode.NOT_SUBSCRIBED, "No reply came: %s.%s".formatted(why, later)));
      }
      PayloadText.of(answer.path("reply").path("payload")).lines().forEach(session.out()::line);
    }
  }

  @Command(name = "clients", description = "Lists the clients of the relay.")
  static final class Clients extends TableVerb {
    Clients() {
      super(
          "grace_clients",
          "clients",
          "client_id",
          "state",
          "waiting",
          "wakes",
          "last_poll_at",
          "topics");
    }
  }

  @Command(name = "drop", description = "Ends a client's queue at the relay.")
  static final class Drop implements Verb {
    @Parameters(paramLabel = "CLIENT", description = "Its name; clients lists them.")
    private String client;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode answer = session.call("grace_drop_client", Json.object().put("client_id", client));
      VerbOutput out = session.out();
      out.json(answer);
      out.line(
          answer.path("dropped").asBoolean()
              ? "Dropped %s; it is told when it polls next.".formatted(client)
              : "%s has no queue here.".formatted(client));
    }
  }
}
