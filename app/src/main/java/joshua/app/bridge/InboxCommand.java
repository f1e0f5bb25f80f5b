package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.Launcher;
import joshua.conversation.envelope.PayloadText;
import joshua.grace.verb.MessageText;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.RemoteService;
import joshua.network.RemoteService.NotServedException;
import joshua.ssh.ExitStatus;
import joshua.ssh.VerbOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inbox}: what waits for a client of the relay, for people and for hooks of clients. */
@Command(
    name = "inbox",
    description = "Shows what waits for a name, which stays there.",
    exitCodeOnInvalidInput = ExitStatus.USAGE_OF_HOOK)
public final class InboxCommand extends ConsoleCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 2 * 1024 * 1024;
  private static final long HOOK_WITHIN_MS = 10_000;

  @Mixin private ServiceOptions options;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Whose messages; yours without it: JOSHUA_AS, or else your login.")
  private String name;

  @Option(names = "--take", description = "Takes what it shows, as the client's poll does.")
  private boolean take;

  @Option(
      names = "--hook",
      paramLabel = "CLIENT:EVENT",
      converter = Hook.Reader.class,
      description = "Says that something waits as a hook of that client does; else nothing.")
  private @Nullable Hook hook;

  /** The command; {@code person} is whose inbox it shows unless it is told. */
  public InboxCommand(String person) {
    name = person;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return hook == null ? show(options.service("grace", "")) : announce(hook);
  }

  private int show(RemoteService grace) throws IOException, InterruptedException {
    if (take) { // a queue that wait has made is read by who has subscribed
      ObjectNode subscription = self();
      subscription.putArray("topics").add("mad.direct." + name);
      grace.call("grace_subscribe", subscription);
    }
    JsonNode answer;
    try {
      answer = grace.call("grace_inbox", self().put("max_bytes", MAX_BYTES));
    } catch (NotServedException e) {
      Optional<RemoteService> dewey = options.second("dewey", null);
      if (e.refusal.code() != ErrorCode.NOT_SUBSCRIBED || dewey.isEmpty()) {
        throw e;
      }
      answer = dewey.get().call("dewey_mail", self());
      answer
          .path("messages")
          .forEach(each -> ((ObjectNode) each).setAll((ObjectNode) each.path("envelope")));
    }
    JsonNode messages = answer.path("messages");
    messages.forEach(
        message -> ((ObjectNode) message).put("text", PayloadText.of(message.path("payload"))));
    var out = new VerbOutput(Launcher.terminal(name), false);
    if (messages.isEmpty()) {
      out.line("Nothing waits for %s.".formatted(name));
    } else {
      out.table(List.of("sender_id", "channel", "timestamp", "text"), messages);
    }
    if (answer.path("gap").isObject()) {
      out.note(MessageText.ofGap(answer.path("gap")));
    }
    if (answer.path("remaining").asInt() > 0) {
      out.note("%d more wait.".formatted(answer.path("remaining").asInt()));
    }
    if (take) {
      // A poll behind what was shown acknowledges it.
      ObjectNode next = self().put("max_messages", 1);
      grace.call("grace_poll_messages", next.set("cursor", answer.path("cursor")));
    }
    return ExitStatus.OK;
  }

  private ObjectNode self() {
    return Json.object().put("client_id", name);
  }

  /** Whatever goes wrong mustn't disturb the client. */
  private int announce(Hook to) throws InterruptedException {
    FutureTask<JsonNode> asked =
        new FutureTask<>(() -> options.service("grace", "").call("grace_await", self()));
    Thread.ofPlatform().daemon().name("hook").start(asked);
    try {
      to.output(name, asked.get(HOOK_WITHIN_MS, TimeUnit.MILLISECONDS)).ifPresent(out()::println);
    } catch (ExecutionException | TimeoutException e) {
      // it says nothing
    }
    return ExitStatus.OK;
  }
}
