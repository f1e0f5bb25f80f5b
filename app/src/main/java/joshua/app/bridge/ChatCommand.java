package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.Launcher;
import joshua.conversation.envelope.PayloadText;
import joshua.grace.verb.MessageText;
import joshua.kernel.Json;
import joshua.network.RemoteService.NotServedException;
import joshua.ssh.ExitStatus;
import joshua.ssh.VerbOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code chat}: a conversation of a person with a participant, by the person's queue at the relay,
 * whose restarts it outlives. One thread listens, another one types.
 */
@Command(
    name = "chat",
    description = "Sends each line that you type to somebody, and shows what is sent to you.")
public final class ChatCommand extends ConsoleCommand implements Callable<Integer> {
  private static final int WAIT_MS = 30_000;
  private static final int PAUSE_MS = 500;

  private final String conversation = UUID.randomUUID().toString();
  @Mixin private ServiceOptions options;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "Who you are; without it JOSHUA_AS, or else your login.")
  private String self;

  @Parameters(paramLabel = "NAME", description = "With whom.")
  private String name;

  /** The command of a person, unless that is told another name. */
  public ChatCommand(String person) {
    self = person;
  }

  @Override
  public Integer call() throws IOException {
    Thread listener = Thread.currentThread();
    try {
      JsonNode subscribed = subscribe(Json.object());
      if (subscribed.has("already_polling_since")) {
        throw new IOException(
            "Another session reads what is sent to %s. Be --as somebody else.".formatted(self));
      }
      say("You are %s. Times are UTC; Ctrl-D ends this.".formatted(self));
      Thread.ofPlatform().daemon().name("type").start(() -> type(listener));
      listen(Json.object().set("cursor", subscribed.get("cursor")));
    } catch (InterruptedException e) {
      // all has been typed
    }
    return ExitStatus.OK;
  }

  private synchronized void say(String text) {
    VerbOutput out = new VerbOutput(Launcher.terminal(self), false);
    text.lines().forEach(out::sentence);
  }

  private JsonNode call(String tool, ObjectNode input) throws IOException, InterruptedException {
    return options.service("grace", "").call(tool, input.put("client_id", self));
  }

  private JsonNode subscribe(ObjectNode input) throws IOException, InterruptedException {
    input.putArray("topics").add("mad.direct." + self);
    return call("grace_subscribe", input);
  }

  /** Shows what comes behind a cursor, until another session reads it, or this one no more may. */
  private void listen(ObjectNode cursor) throws IOException, InterruptedException {
    boolean isAway = false;
    while (true) {
      try {
        ObjectNode input = cursor.deepCopy();
        JsonNode answer =
            isAway ? subscribe(input) : call("grace_poll_messages", input.put("wait_ms", WAIT_MS));
        if (isAway) {
          say("The relay is back.");
          isAway = false;
        }
        if (answer.path("gap").isObject()) {
          say(MessageText.ofGap(answer.path("gap")));
        }
        answer.path("messages").forEach(this::show);
        if (answer.path("superseded").asBoolean()) {
          say(answer.path("note").asText());
          return;
        }
        cursor.set("cursor", answer.get("cursor"));
      } catch (IOException e) {
        if (isAway && e instanceof NotServedException refused && !refused.isAway) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS); // not where all has been typed
        if (!isAway) {
          say("The relay is away; this goes on when it is back.");
        }
        isAway = true;
      }
    }
  }

  private void show(JsonNode message) {
    String sender = message.path("sender_id").asText();
    String text = PayloadText.of(message.path("payload"));
    say("%s %s: %s".formatted(MessageText.timeOf(message), sender, text));
  }

  /** Sends what is typed, line by line, until its end. */
  private void type(Thread listener) {
    String audience = "it listens now"; // that needn't be said
    try {
      var lines = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String now = line.isBlank() ? audience : send(line);
        if (!now.equals(audience)) {
          say("(%s)".formatted(now));
        }
        audience = now;
      }
    } catch (IOException | InterruptedException e) {
      say(e.toString());
    }
    listener.interrupt();
  }

  /** Sends a line, and says who gets it. */
  private String send(String line) throws InterruptedException {
    ObjectNode message = Json.object().put("channel", "mad.direct." + name);
    message.put("conversation_id", conversation).putObject("payload").put("text", line);
    try {
      return MessageText.ofAudience(call("grace_send_message", message));
    } catch (IOException e) {
      boolean isKnown = e instanceof NotServedException;
      return (isKnown ? "not sent: " : "it isn't known whether it was sent: ") + e.getMessage();
    }
  }
}
