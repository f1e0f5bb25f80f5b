package joshua.app.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.app.LogRing;
import joshua.app.audit.AuditRecord;
import joshua.app.audit.AuditStore;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.LogMarkers;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.ssh.StateView;
import joshua.state.Database;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that every MAD has, run as admins run them. */
class CommonVerbsTest {
  private static final Instant STARTED = Instant.parse("2026-03-18T15:30:00Z");

  private final LoggerContext logging = new LoggerContext();
  private final LogRing log = LogRing.empty();
  private Database database;
  private AuditStore audit;
  private CommandHost host;
  private String problem = "";

  private record Echo(ToolSpec spec) implements Tool {
    static Echo named(String name, boolean readOnly) {
      return new Echo(
          new ToolSpec(
              name,
              "Says it again",
              "Says it again.",
              Json.object(
                  "{\"type\":\"object\",\"properties\":{\"say\":{\"type\":\"string\"}},\"required\":[\"say\"]}"),
              null,
              new ToolAnnotations(readOnly, false, true, false)));
    }

    @Override
    public Answer begin(ToolCall call) {
      if (call.input().path("say").asText().equals("nothing")) {
        return Answer.of(
            new ToolResult.Refused(Refusal.of(ErrorCode.CONFLICT, "I have said it already.")));
      }
      return Answer.of(
          new ToolResult.Success(
              Json.object()
                  .put("said", call.input().path("say").asText())
                  .put("to", call.caller().identity().orElse("nobody"))));
    }
  }

  @BeforeEach
  void open(@TempDir Path home) throws Exception {
    log.setContext(logging);
    log.start();
    database =
        Database.open(home.resolve("audit.db"), AuditStore.migrations(), new SimpleMeterRegistry());
    audit = new AuditStore(database, entry -> {});
    Settings settings =
        Settings.read(
            KnownSettings.list(),
            new Settings.Given(
                Map.of(),
                "joshua.properties",
                Map.of("JOSHUA_GRACE_PORT", "9000", "JOSHUA_MODEL_API_KEY", "sk-very-secret"),
                Map.of(),
                home,
                home));
    MadSelfReport madSelfReport =
        new MadSelfReport(
            "grace",
            "1.2.3",
            STARTED,
            () -> List.of(new MadSelfReport.Listener("http", "127.0.0.1:9000", "")),
            () ->
                List.of(
                    ReadinessCheck.of(
                        "bus", () -> Optional.of(problem).filter(text -> !text.isEmpty()))),
            List.of(
                new StateView(
                    "queues",
                    "what waits",
                    () -> Json.object().put("clients", 2).put("waiting", 7))),
            new ToolRegistry(
                List.of(Echo.named("grace_look", true), Echo.named("grace_change", false)),
                new SimpleMeterRegistry(),
                InstantSource.system()),
            settings,
            log,
            audit,
            TimedWait.system());
    host = new CommandHost("grace", madSelfReport.verbs(), audit, InstantSource.system());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private ScriptedAdmin run(ExitStatus expected, Role role, String line) {
    ScriptedAdmin scriptedAdmin = ScriptedAdmin.of(host, "ann", role);
    assertThat(scriptedAdmin.run(line)).as(scriptedAdmin.told()).isEqualTo(expected);
    return scriptedAdmin;
  }

  private String out(String line) {
    return run(ExitStatus.OK, Role.VIEWER, line).shown();
  }

  private JsonNode json(String line) throws Exception {
    String out = out(line);
    assertThat(out.lines()).hasSize(1);
    return Json.parse(out);
  }

  @Test
  void statusSaysWhatIsWrongAndWhereItListens() throws Exception {
    assertThat(out("mad-status")).startsWith("grace is ready\n").contains("127.0.0.1:9000");
    problem = "Redis is away";
    assertThat(out("mad-status")).startsWith("grace is not ready\n").contains("Redis is away");
    JsonNode json = json("mad-status -o json");
    assertThat(json.path("started_at").asText()).isEqualTo(STARTED.toString());
    assertThat(json.path("ready").asBoolean()).isFalse();
    assertThat(json.at("/checks/0/problem").asText()).isEqualTo("Redis is away");
  }

  @Test
  void configMasksSecrets() throws Exception {
    assertThat(out("mad-config")).contains("grace-port").contains("environment").contains("9000");
    assertThat(out("mad-config --set")).contains("grace-port").doesNotContain("rogers-port");
    assertThat(out("mad-config") + out("mad-config -o json")).doesNotContain("very-secret");
    assertThat(json("mad-config -o json").path("settings")).hasSameSizeAs(KnownSettings.list());
  }

  @Test
  void configShowsWhatIsSetAndNotWhatWasScaledToTheHeap() throws Exception {
    assertThat(json("mad-config --set -o json").path("settings"))
        .extracting(each -> each.path("key").asText(), each -> each.path("value").asText())
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("grace-port", "9000"),
            org.assertj.core.groups.Tuple.tuple("model-api-key", "***"));
  }

  @Test
  void stateListsItsPartsAndShowsOne() throws Exception {
    assertThat(out("mad-state")).contains("queues").contains("what waits");
    assertThat(json("mad-state queues -o json").path("waiting").asInt()).isEqualTo(7);
    assertThat(out("mad-state queues")).contains("waiting  7");
    assertThat(run(ExitStatus.USAGE, Role.VIEWER, "mad-state moon").told())
        .contains("there is queues");
  }

  @Test
  void toolsAreCalledUnderTheirOwnRoleAndInTheCallersName() throws Exception {
    assertThat(out("tools")).contains("grace_look").contains("operator");
    JsonNode said = json("tool grace_look '{\"say\":\"a\\u009bb\"}' -o json");
    assertThat(said.path("to").asText()).isEqualTo("ann");
    assertThat(out("tool grace_look '{\"say\":\"a\\u009bb\"}'")).doesNotContain("\u009b");
    assertThat(run(ExitStatus.REFUSED, Role.VIEWER, "tool grace_change '{\"say\":\"a\"}'").told())
        .contains("operator");
    run(ExitStatus.OK, Role.OPERATOR, "tool grace_change '{\"say\":\"a\"}'");
    assertThat(run(ExitStatus.USAGE, Role.VIEWER, "tool grace_look '{}'").told()).contains("say");
    assertThat(run(ExitStatus.USAGE, Role.VIEWER, "tool grace_look '[1]'").told())
        .contains("must be an object");
    assertThat(run(ExitStatus.USAGE, Role.VIEWER, "tool nothing").told())
        .contains("tools lists them");
    assertThat(
            run(ExitStatus.REFUSED, Role.VIEWER, "tool grace_look '{\"say\":\"nothing\"}'").told())
        .contains("conflict: I have said it already.");
  }

  private void log(Level level, String message, String correlationId) {
    LoggingEvent event =
        new LoggingEvent("f", logging.getLogger("joshua.x.Y"), level, message, null, null);
    event.setMDCPropertyMap(Map.of("correlation_id", correlationId));
    log.doAppend(event);
  }

  @Test
  void logsAreFilteredByLevelAndCorrelationId() throws Exception {
    log(Level.INFO, "first", "c1");
    log(Level.WARN, "second \u001b[2J", "c2");
    assertThat(out("mad-logs")).contains("first").contains("second \\u001b[2J");
    assertThat(out("mad-logs --level warn")).doesNotContain("first").contains("second");
    assertThat(out("mad-logs --correlation c1")).contains("first").doesNotContain("second");
    assertThat(json("mad-logs -n 1 -o json").path("correlation_id").asText()).isEqualTo("c2");
    run(ExitStatus.USAGE, Role.VIEWER, "mad-logs -n 0");
    log(Level.INFO, "third", "c23");
    log(Level.INFO, "fourth", "d4");
    assertThat(out("mad-logs --correlation d")).contains("fourth").doesNotContain("third");
    assertThat(out("mad-logs --correlation c2")).contains("second").doesNotContain("third");
    assertThat(run(ExitStatus.REFUSED, Role.VIEWER, "mad-logs --correlation c").told())
        .isEqualTo(
            "joshua: c begins several correlation ids: c1, c2, c23. Write more of the one that you"
                + " mean.\n");
  }

  @Test
  void everyCommandIsInTheAuditWithItsResult() throws Exception {
    run(ExitStatus.OK, Role.OPERATOR, "tool grace_change '{\"say\":\"a\"}'");
    run(ExitStatus.REFUSED, Role.VIEWER, "tool grace_change '{\"say\":\"b\"}'");
    run(ExitStatus.USAGE, Role.VIEWER, "rm -rf /");

    List<String> results = new ArrayList<>();
    for (AuditRecord record : audit.newest(10)) {
      results.add(record.action() + " " + record.result() + " " + record.detail());
    }
    assertThat(results)
        .containsExactly(
            "begin begun tool grace_change '{\"say\":\"a\"}'",
            "command ok tool grace_change '{\"say\":\"a\"}'",
            "command refused tool grace_change '{\"say\":\"b\"}'",
            "command usage rm -rf /");
    assertThat(out("mad-logs --audit")).contains("refused").contains("SHA256:test");
    assertThat(json("mad-logs --audit -n 1 -o json").path("who").asText()).isEqualTo("ann");
  }

  /** Security: the audit log can't be used to get around what the tools refuse. */
  @Test
  void viewersReadInTheAuditWhatWasDoneAndNotWhatWasSaid() throws Exception {
    run(ExitStatus.OK, Role.OPERATOR, "tool grace_change '{\"say\":\"private\"}'");
    run(ExitStatus.REFUSED, Role.VIEWER, "tool grace_change '{\"say\":\"private\"}'");
    run(ExitStatus.USAGE, Role.VIEWER, "private words by mistake");
    run(ExitStatus.USAGE, Role.VIEWER, "tool grace_look '{\"private\":1}' private");
    run(ExitStatus.USAGE, Role.VIEWER, "tool 'private");

    assertThat(out("mad-logs --audit") + out("mad-logs --audit -o json"))
        .doesNotContain("private")
        .contains("begin", "tool grace_change …", "refused", "usage");
    for (Role role : List.of(Role.OPERATOR, Role.ADMIN)) {
      assertThat(run(ExitStatus.OK, role, "mad-logs --audit").shown())
          .contains("tool grace_change '{\"say\":\"private\"}'", "private words by mistake");
    }
  }

  /** Security: neither is the log. */
  @Test
  void viewersReadInTheLogNothingThatQuotesOthers() throws Exception {
    LoggingEvent quoting =
        new LoggingEvent(
            "f",
            logging.getLogger("joshua.x.Y"),
            Level.WARN,
            "refused: {}",
            null,
            array("private"));
    quoting.addMarker(LogMarkers.QUOTES_OTHERS);
    LoggingEvent failing =
        new LoggingEvent(
            "f",
            logging.getLogger("joshua.x.Y"),
            Level.ERROR,
            "a tool failed",
            new IllegalStateException("private"),
            null);
    for (LoggingEvent event : List.of(quoting, failing)) {
      event.setMDCPropertyMap(Map.of());
      log.doAppend(event);
    }

    assertThat(out("mad-logs") + out("mad-logs -o json"))
        .doesNotContain("private")
        .contains("refused: …", "a tool failed", "IllegalStateException");
    assertThat(run(ExitStatus.OK, Role.OPERATOR, "mad-logs").shown())
        .contains("refused: private", "IllegalStateException: private");
  }

  private static Object[] array(Object... arguments) {
    return arguments;
  }
}
