package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code tool}: calls any tool of a MAD, with the role that the tool needs. */
@Command(
    name = "tool",
    description = "Call a tool of this MAD; what it needs depends on the tool.",
    footer = {
      "",
      "The answer is JSON, indented in a table's place. Examples:",
      "  tool grace_poll_messages '{\"client_id\":\"alice\"}'",
      "  tool rogers_query '{\"name\":\"senders\",\"arguments\":{}}' -o json"
    })
final class ToolVerb extends Verb {
  private final ToolRegistry tools;

  @Parameters(index = "0", paramLabel = "NAME", description = "Which tool; tools lists them.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "Its input, an object. Default: {}")
  private String input = "{}";

  ToolVerb(ToolRegistry tools) {
    this.tools = tools;
  }

  @Override
  public Role role() {
    return tools.spec(name).map(ToolSpec::role).orElse(Role.VIEWER);
  }

  @Override
  public List<String> withheld() {
    return tools.spec(name).isPresent() ? List.of(input) : List.of(name, input);
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    ToolSpec spec =
        tools
            .spec(name)
            .orElseThrow(() ->
                VerbFailedException.misuse(
                    "there is no tool \"%s\"; tools lists them".formatted(name)));
    Caller caller =
        new Caller(Optional.of(adminCaller.name()), adminCaller.role(), adminCaller.sessionId());
    switch (tools.begin(spec.name(), input(), caller).await()) {
      case ToolResult.Success success -> commandOutput.show(report(success.output()));
      case ToolResult.Refused(Refusal refusal) -> {
        if (commandOutput.format() == OutputFormat.JSON) {
          commandOutput.json(json(refusal));
        }
        throw failure(refusal);
      }
    }
  }

  private ObjectNode input() throws VerbFailedException {
    try {
      if (Json.parse(input) instanceof ObjectNode object) {
        return object;
      }
      throw VerbFailedException.misuse("JSON must be an object");
    } catch (Json.MalformedJsonException e) {
      throw VerbFailedException.misuse("JSON " + e.getMessage());
    }
  }

  private static VerbReport report(ObjectNode output) {
    // It may contain text that passes through unparsed.
    ObjectNode plain = Json.object(Json.write(output));
    return new VerbReport(plain, () -> plain.toPrettyString().lines().map(StyledLine::of).toList());
  }

  /** {@code {code, message, …}}, as frames have it. */
  private static ObjectNode json(Refusal refusal) {
    ObjectNode error =
        Json.object().put("code", refusal.code().wireName()).put("message", refusal.message());
    for (Map.Entry<String, JsonNode> detail : refusal.details().entrySet()) {
      error.set(detail.getKey(), detail.getValue());
    }
    return error;
  }

  private static VerbFailedException failure(Refusal refusal) {
    String sentence = refusal.code().wireName() + ": " + refusal.message();
    if (refusal.code() == ErrorCode.BUS_UNAVAILABLE || refusal.code() == ErrorCode.OVERLOADED) {
      return VerbFailedException.unavailable(sentence);
    }
    return refusal.code() == ErrorCode.INVALID_INPUT
        ? VerbFailedException.misuse(sentence)
        : VerbFailedException.refused(sentence);
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return before.isEmpty() ? tools.specs().stream().map(ToolSpec::name).toList() : List.of();
  }
}
