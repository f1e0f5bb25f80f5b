package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua ask}: puts a prompt to a MAD that thinks, and shows its answer as it comes. */
@Command(
    name = "ask",
    description = "Ask a MAD that thinks, and see its answer as it comes.",
    footer = {
      "",
      "Ctrl-C stops looking, not the task. Examples:",
      "  joshua ask fiedler \"what failed since noon?\"",
      "  joshua ask fiedler help -o json"
    })
final class AskCommand implements Subcommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "MAD", description = "fiedler.")
  private @Nullable String mad;

  @Parameters(index = "1", arity = "0..*", paramLabel = "PROMPT", description = "In plain words.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--as",
      defaultValue = "cli",
      paramLabel = "ID",
      description = "Who asks: the one that \"my tasks\" means. Default: ${DEFAULT-VALUE}")
  private String requester = "cli";

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "The exchange that it goes on with.")
  private @Nullable String conversation;

  @Option(names = "-o", description = "text, or json: a frame of the stream a line.")
  private OutputFormat format = OutputFormat.TEXT;

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    ObjectNode input = input();
    try (ToolCalls calls = ToolCalls.of(String.valueOf(mad), settings, around)) {
      ObjectNode pending = calls.call("converse", input);
      return new TaskStream(calls, around).follow(pending.path("task_id").asText(), format);
    }
  }

  private ObjectNode input() throws Misuse {
    List<String> problems = new ArrayList<>();
    if (mad == null) {
      problems.add("MAD is missing: joshua ask MAD PROMPT");
    } else if (words.isEmpty()) {
      problems.add("PROMPT is missing: joshua ask %s PROMPT".formatted(mad));
    }
    if (!Ids.isIdentifier(requester)) {
      problems.add("--as " + Ids.IDENTIFIER_RULE);
    }
    Optional<UUID> exchange = Optional.ofNullable(conversation).flatMap(Ids::parseUuid);
    if (conversation != null && exchange.isEmpty()) {
      problems.add("--conversation " + Ids.UUID_RULE);
    }
    if (!problems.isEmpty()) {
      throw new Misuse(problems);
    }
    ObjectNode input =
        Json.object().put("prompt", String.join(" ", words)).put("requester_id", requester);
    exchange.ifPresent(id -> input.put("conversation_id", id.toString()));
    return input;
  }
}
