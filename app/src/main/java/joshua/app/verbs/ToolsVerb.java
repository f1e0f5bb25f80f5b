package joshua.app.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;

/** The command {@code tools}: the tools of a MAD, which {@code tool} calls. */
@Command(
    name = "tools",
    description = "List this MAD's tools, as MCP clients have them.",
    footer = {"", "With -o json: their schemas, too. Examples:", "  tools", "  tools -o json"})
final class ToolsVerb extends Verb {
  private final ToolRegistry tools;

  ToolsVerb(ToolRegistry tools) {
    this.tools = tools;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
    commandOutput.show(new VerbReport(json(), this::lines));
  }

  private ArrayNode json() {
    ArrayNode all = Json.object().putArray("tools");
    for (ToolSpec spec : tools.specs()) {
      all.addObject()
          .put("name", spec.name())
          .put("title", spec.title())
          .put("description", spec.description())
          .put("role", spec.role().word())
          .set("input_schema", spec.inputSchema());
    }
    return all;
  }

  private List<StyledLine> lines() {
    TextTable textTable = new TextTable("TOOL", "NEEDS", "WHAT IT IS");
    tools.specs().forEach(spec -> textTable.add(spec.name(), spec.role().word(), spec.title()));
    return textTable.lines();
  }
}
