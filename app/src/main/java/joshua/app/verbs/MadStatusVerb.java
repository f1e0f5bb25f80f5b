package joshua.app.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.ReadinessCheck;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;

/**
 * The command {@code mad-status}: whether a MAD is healthy, since when it runs, and where it
 * listens.
 */
@Command(
    name = "mad-status",
    description = "Say whether this MAD is well, since when it runs, and where it listens.",
    footer = {"", "Examples:", "  mad-status", "  mad-status -o json"})
final class MadStatusVerb extends Verb {
  private static final int MIB = 20;

  private final MadSelfReport madSelfReport;

  MadStatusVerb(MadSelfReport madSelfReport) {
    this.madSelfReport = madSelfReport;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
    ObjectNode json = json();
    commandOutput.show(new VerbReport(json, () -> lines(json)));
  }

  private ObjectNode json() {
    Runtime runtime = Runtime.getRuntime();
    ObjectNode json =
        Json.object()
            .put("mad", madSelfReport.name())
            .put("version", madSelfReport.version())
            .put("java", Runtime.version().toString())
            .put("pid", ProcessHandle.current().pid())
            .put("started_at", madSelfReport.startedAt().toString())
            .put("heap_used_bytes", runtime.totalMemory() - runtime.freeMemory())
            .put("heap_max_bytes", runtime.maxMemory());
    ArrayNode listeners = json.putArray("listeners");
    for (MadSelfReport.Listener each : madSelfReport.listeners().get()) {
      listeners
          .addObject()
          .put("name", each.name())
          .put("address", each.address())
          .put("remark", each.remark().isEmpty() ? null : each.remark());
    }
    boolean ready = true;
    ArrayNode checks = json.putArray("checks");
    for (ReadinessCheck check : madSelfReport.checks().get()) {
      Optional<String> problem = check.problem();
      ready &= problem.isEmpty();
      checks.addObject().put("name", check.name()).put("problem", problem.orElse(null));
    }
    return json.put("ready", ready);
  }

  private static List<StyledLine> lines(ObjectNode json) {
    List<StyledLine> lines = new ArrayList<>();
    boolean ready = json.path("ready").asBoolean();
    lines.add(
        new StyledLine(
            List.of(
                new StyledLine.Piece(json.path("mad").asText() + " is ", TextStyle.PLAIN),
                ready
                    ? new StyledLine.Piece("ready", TextStyle.GOOD)
                    : new StyledLine.Piece("not ready", TextStyle.BAD))));
    lines.add(
        StyledLine.of(
            "version %s on Java %s, process %d, since %s, %d of %d MiB of heap used"
                .formatted(
                    json.path("version").asText(),
                    json.path("java").asText(),
                    json.path("pid").asLong(),
                    json.path("started_at").asText(),
                    json.path("heap_used_bytes").asLong() >> MIB,
                    json.path("heap_max_bytes").asLong() >> MIB)));
    TextTable listeners = new TextTable("LISTENER", "ADDRESS", "");
    json.path("listeners")
        .forEach(each ->
            listeners.add(
                each.path("name").asText(),
                each.path("address").asText(),
                each.path("remark").asText("")));
    lines.add(StyledLine.of(""));
    lines.addAll(listeners.lines());
    TextTable checks = new TextTable("CHECK", "STATE");
    json.path("checks")
        .forEach(each -> {
          boolean well = each.path("problem").isNull();
          checks.add(
              List.of(
                  new StyledLine.Piece(each.path("name").asText(), TextStyle.PLAIN),
                  new StyledLine.Piece(
                      well ? "ok" : each.path("problem").asText(),
                      well ? TextStyle.GOOD : TextStyle.BAD)));
        });
    lines.add(StyledLine.of(""));
    lines.addAll(checks.lines());
    return lines;
  }
}
