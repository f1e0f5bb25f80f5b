package joshua.rogers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.DirectReaders;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.tool.ConnectionsTool;
import joshua.rogers.tool.ConversationTool;
import joshua.rogers.tool.QueryTool;
import joshua.rogers.tool.StatsTool;
import joshua.rogers.verb.RogersVerbs;
import joshua.ssh.CommandHost;
import joshua.testing.admins.ScriptedAdmin;

/** Rogers' commands on a {@link RogersQueryFixture}, with a script and a person who run them. */
final class VerbDesk implements AutoCloseable {
  private static final int LOOKS = 3;

  final RogersQueryFixture desk = new RogersQueryFixture();
  private final ToolRegistry tools =
      new ToolRegistry(
          List.of(
              ConnectionsTool.on(desk.database()),
              StatsTool.on(desk.database(), () -> RogersQueryFixture.NOW),
              QueryTool.on(desk.queries()),
              ConversationTool.on(
                  new JournalExchanges(
                      desk.database(), RogersQueryFixture.JOURNAL, DirectReaders.ADMINS))),
          new SimpleMeterRegistry(),
          () -> RogersQueryFixture.NOW);
  final CommandHost host =
      new CommandHost(
          Rogers.NAME,
          RogersVerbs.of(tools, () -> RogersQueryFixture.NOW, _ -> looked()),
          _ -> {},
          () -> RogersQueryFixture.NOW);
  final ScriptedAdmin script = ScriptedAdmin.of(host, "ann", Role.ADMIN);
  final ScriptedAdmin viewer = ScriptedAdmin.of(host, "vera", Role.VIEWER);
  final ScriptedAdmin person = ScriptedAdmin.atTerminal(host, "ann", Role.ADMIN, 100, 24);
  private int looks;

  VerbDesk() throws Exception {}

  /** After three updates of a live view the person closes the window. */
  private void looked() {
    looks++;
    if (looks == LOOKS) {
      person.leave();
    }
  }

  /** What a tool returns to any client. */
  JsonNode asked(String tool, String input) throws Exception {
    ObjectNode tree = Json.object(input.replace('\'', '"'));
    Caller caller = new Caller(Optional.of("ann"), Role.ADMIN, "test");
    return switch (tools.begin(tool, tree, caller, CallContext.SILENT).await()) {
      case ToolResult.Success success -> Json.parse(Json.bytes(success.output()));
      case ToolResult.Refused(var refusal) -> throw new AssertionError(refusal.message());
    };
  }

  void connection(String name, String status, String since) throws Exception {
    desk.row(
        "connections",
        name,
        status,
        "09:00:00",
        "15:29:55",
        since,
        "because",
        1,
        10,
        null,
        "7",
        null,
        "[]");
  }

  void event(int id, String at, String name, String before, String status) throws Exception {
    desk.row("connection_events", id, at, name, before, status, "why " + id);
  }

  void blind(int id, String since, String until) throws Exception {
    desk.row("not_seen", id, since, until, "Redis was away", null);
  }

  void said(int entry, String at, String correlation, String from, String payload)
      throws Exception {
    desk.row(
        "journal",
        entry,
        at,
        correlation,
        correlation,
        UUID.randomUUID().toString(),
        from,
        "bob",
        "mad.direct.bob",
        payload,
        payload.length(),
        0);
  }

  @Override
  public void close() {
    desk.close();
  }
}
