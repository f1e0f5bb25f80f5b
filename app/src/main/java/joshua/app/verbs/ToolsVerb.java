package joshua.app.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.ToolRegistry;
import joshua.network.ToolSpec;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import picocli.CommandLine.Command;

/** {@code tools}: the tools of a MAD, which {@code tool} calls. */
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
  public void run(Access access, Screen screen) {
    screen.show(new Report(json(), this::lines));
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

  private List<Line> lines() {
    Table table = new Table("TOOL", "NEEDS", "WHAT IT IS");
    tools.specs().forEach(spec -> table.add(spec.name(), spec.role().word(), spec.title()));
    return table.lines();
  }
}
