package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Access;
import joshua.ssh.OutputFormat;
import joshua.ssh.Screen;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import joshua.thought.OfflineMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ask}: puts a prompt, and shows its answer as it comes (REQ-FD-02, REQ-FD-07). */
@Command(
    name = "ask",
    description = "Ask in plain words, and see the answer as it comes.",
    footer = {
      "",
      "Needs the role operator. Ctrl-C stops looking, not the task. Examples:",
      "  ask \"what failed since noon?\"",
      "  ask \"what is the sea?\" --offline never",
      "  ask \"who is there?\" -o json"
    })
final class AskVerb extends Verb {
  private final VerbCalls calls;

  @Parameters(arity = "1..*", paramLabel = "PROMPT", description = "In plain words.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--as",
      paramLabel = "ID",
      description =
          "Who asks: the one that \"my tasks\" means. Default: yourself; needs the role admin.")
  private Optional<String> requester = Optional.empty();

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "The exchange that it goes on with.")
  private Optional<String> conversation = Optional.empty();

  @Option(
      names = "--offline",
      paramLabel = "MODE",
      description =
          "Whether it may be answered without a language model: auto, never or only. Default: auto")
  private OfflineMode offline = OfflineMode.AUTO;

  AskVerb(VerbCalls calls) {
    this.calls = calls;
  }

  @Override
  public Role role() {
    return requester.isPresent() ? Role.ADMIN : calls.role("converse");
  }

  @Override
  public List<String> withheld() {
    return words;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    String identity = requester.orElse(access.name());
    if (!Ids.isIdentifier(identity)) {
      throw VerbFailed.misuse("--as " + Ids.IDENTIFIER_RULE);
    }
    ObjectNode input =
        Json.object().put("prompt", String.join(" ", words)).put("requester_id", identity);
    if (offline != OfflineMode.AUTO) {
      input.put("offline", offline.wireName());
    }
    if (conversation.isPresent()) {
      Optional<UUID> exchange = conversation.flatMap(Ids::parseUuid);
      if (exchange.isEmpty()) {
        throw VerbFailed.misuse("--conversation " + Ids.UUID_RULE);
      }
      input.put("conversation_id", exchange.get().toString());
    }
    ObjectNode pending = calls.call("converse", input, access, identity);
    String taskId = pending.path("task_id").asText();
    if (screen.format() == OutputFormat.JSON) {
      screen.json(pending);
    } else {
      screen.remark(
          "task %s, conversation %s, correlation %s"
              .formatted(
                  taskId,
                  pending.path("conversation_id").asText(),
                  pending.path("correlation_id").asText()));
    }
    new TaskTail(calls, access, screen).follow(taskId);
  }
}
