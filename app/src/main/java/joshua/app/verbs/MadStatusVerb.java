package joshua.app.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.ReadinessCheck;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Style;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import picocli.CommandLine.Command;

/** {@code mad-status}: whether a MAD is well, since when it runs, and where it listens. */
@Command(
    name = "mad-status",
    description = "Say whether this MAD is well, since when it runs, and where it listens.",
    footer = {"", "Examples:", "  mad-status", "  mad-status -o json"})
final class MadStatusVerb extends Verb {
  private static final int MIB = 20;

  private final Self self;

  MadStatusVerb(Self self) {
    this.self = self;
  }

  @Override
  public void run(Access access, Screen screen) {
    ObjectNode json = json();
    screen.show(new Report(json, () -> lines(json)));
  }

  private ObjectNode json() {
    Runtime runtime = Runtime.getRuntime();
    ObjectNode json =
        Json.object()
            .put("mad", self.name())
            .put("version", self.version())
            .put("java", Runtime.version().toString())
            .put("pid", ProcessHandle.current().pid())
            .put("started_at", self.startedAt().toString())
            .put("heap_used_bytes", runtime.totalMemory() - runtime.freeMemory())
            .put("heap_max_bytes", runtime.maxMemory());
    ArrayNode listeners = json.putArray("listeners");
    for (Self.Listener each : self.listeners().get()) {
      listeners
          .addObject()
          .put("name", each.name())
          .put("address", each.address())
          .put("remark", each.remark().isEmpty() ? null : each.remark());
    }
    boolean ready = true;
    ArrayNode checks = json.putArray("checks");
    for (ReadinessCheck check : self.checks().get()) {
      Optional<String> problem = check.problem();
      ready &= problem.isEmpty();
      checks.addObject().put("name", check.name()).put("problem", problem.orElse(null));
    }
    return json.put("ready", ready);
  }

  private static List<Line> lines(ObjectNode json) {
    List<Line> lines = new ArrayList<>();
    boolean ready = json.path("ready").asBoolean();
    lines.add(
        new Line(
            List.of(
                new Line.Piece(json.path("mad").asText() + " is ", Style.PLAIN),
                ready
                    ? new Line.Piece("ready", Style.GOOD)
                    : new Line.Piece("not ready", Style.BAD))));
    lines.add(
        Line.of(
            "version %s on Java %s, process %d, since %s, %d of %d MiB of heap used"
                .formatted(
                    json.path("version").asText(),
                    json.path("java").asText(),
                    json.path("pid").asLong(),
                    json.path("started_at").asText(),
                    json.path("heap_used_bytes").asLong() >> MIB,
                    json.path("heap_max_bytes").asLong() >> MIB)));
    Table listeners = new Table("LISTENER", "ADDRESS", "");
    json.path("listeners")
        .forEach(each ->
            listeners.add(
                each.path("name").asText(),
                each.path("address").asText(),
                each.path("remark").asText("")));
    lines.add(Line.of(""));
    lines.addAll(listeners.lines());
    Table checks = new Table("CHECK", "STATE");
    json.path("checks")
        .forEach(each -> {
          boolean well = each.path("problem").isNull();
          checks.add(
              List.of(
                  new Line.Piece(each.path("name").asText(), Style.PLAIN),
                  new Line.Piece(
                      well ? "ok" : each.path("problem").asText(), well ? Style.GOOD : Style.BAD)));
        });
    lines.add(Line.of(""));
    lines.addAll(checks.lines());
    return lines;
  }
}
