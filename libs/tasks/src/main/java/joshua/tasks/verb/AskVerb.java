package joshua.tasks.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.tasks.tool.LocalToolClient;
import joshua.thought.OfflineMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ask}: submits a prompt, and shows its answer as it streams (REQ-FD-02, REQ-FD-07). */
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
  private final LocalToolClient calls;

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

  AskVerb(LocalToolClient calls) {
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
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    String identity = requester.orElse(adminCaller.name());
    if (!BusIdentifiers.isIdentifier(identity)) {
      throw VerbFailedException.misuse("--as " + BusIdentifiers.IDENTIFIER_RULE);
    }
    ObjectNode input =
        Json.object().put("prompt", String.join(" ", words)).put("requester_id", identity);
    if (offline != OfflineMode.AUTO) {
      input.put("offline", offline.wireName());
    }
    if (conversation.isPresent()) {
      Optional<UUID> exchange = conversation.flatMap(BusIdentifiers::parseUuid);
      if (exchange.isEmpty()) {
        throw VerbFailedException.misuse("--conversation " + BusIdentifiers.UUID_RULE);
      }
      input.put("conversation_id", exchange.get().toString());
    }
    ObjectNode pending = calls.call("converse", input, adminCaller, identity);
    String taskId = pending.path("task_id").asText();
    if (commandOutput.format() == OutputFormat.JSON) {
      commandOutput.json(pending);
    } else {
      commandOutput.remark(
          "task %s, conversation %s, correlation %s"
              .formatted(
                  taskId,
                  pending.path("conversation_id").asText(),
                  pending.path("correlation_id").asText()));
    }
    new TaskTail(calls, adminCaller, commandOutput).follow(taskId);
  }
}
