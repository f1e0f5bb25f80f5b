package joshua.rogers.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.VerbFailedException;
import joshua.tasks.LocalToolClient;

/** What Rogers' verbs ask: his tools, and by one of them his whitelisted queries. */
record RogersClient(LocalToolClient calls) {

  /** What {@code rogers_<name>} answers. */
  ObjectNode tool(String name, ObjectNode input, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    return calls.call(name, input, adminCaller);
  }

  /** What a whitelisted query answers: its {@code rows}, and how many are {@code left_out}. */
  ObjectNode query(String name, ObjectNode arguments, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("name", name);
    input.set("arguments", arguments);
    return tool("query", input, adminCaller);
  }
}
