package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.VerbFailedException;
import joshua.tasks.tool.LocalToolClient;

/** Calls Rogers' tools for its admin commands, and its whitelisted queries by one of them. */
record RogersClient(LocalToolClient calls) {

  /** The answer of {@code rogers_<name>}. */
  ObjectNode tool(String name, ObjectNode input, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    return calls.call(name, input, adminCaller);
  }

  /** The answer of a whitelisted query: its {@code rows}, and how many are {@code left_out}. */
  ObjectNode query(String name, ObjectNode arguments, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("name", name);
    input.set("arguments", arguments);
    return tool("query", input, adminCaller);
  }
}
