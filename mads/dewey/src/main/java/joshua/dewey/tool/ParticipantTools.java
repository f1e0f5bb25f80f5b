package joshua.dewey.tool;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;

/** What tools have in common that participants call under their names. */
interface ParticipantTools {
  String SELF = "Your name on the bus";

  ServiceContext context();

  Database database();

  /** Runs work for a caller that may act under a name. */
  default CompletableFuture<ToolResult> actingAs(
      String name, ToolCall call, Callable<ToolResult> work) {
    return context()
        .access()
        .refuseActingAs(call.caller(), "client_id", name)
        .map(ToolResult::refused)
        .orElseGet(() -> call.runBlocking(work));
  }

  /** Runs work that shows a caller what a participant may read. */
  default CompletableFuture<ToolResult> readingAs(
      String name, ToolCall call, Callable<ToolResult> work) {
    return context().readsOthersDirect(call.caller())
        ? call.runBlocking(work)
        : actingAs(name, call, work);
  }

  static ToolResult refused(ErrorCode code, String sentence) {
    return new ToolResult.Refused(Refusal.of(code, sentence));
  }

  static ToolResult invalid(String member, String rule) {
    return new ToolResult.Refused(Refusal.invalidInput(member, rule));
  }
}
