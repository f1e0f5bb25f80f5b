package joshua.rogers.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.VerbFailed;
import joshua.tasks.VerbCalls;

/** What Rogers' verbs ask: his tools, and by one of them his whitelisted queries. */
record Inquiries(VerbCalls calls) {

  /** What {@code rogers_<name>} answers. */
  ObjectNode tool(String name, ObjectNode input, Access access)
      throws VerbFailed, InterruptedException {
    return calls.call(name, input, access);
  }

  /** What a whitelisted query answers: its {@code rows}, and how many are {@code left_out}. */
  ObjectNode query(String name, ObjectNode arguments, Access access)
      throws VerbFailed, InterruptedException {
    ObjectNode input = Json.object().put("name", name);
    input.set("arguments", arguments);
    return tool("query", input, access);
  }
}
