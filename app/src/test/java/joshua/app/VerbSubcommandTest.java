package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.kernel.KnownSettings;
import joshua.ssh.AuditLog;
import joshua.ssh.CommandHost;
import joshua.ssh.socket.AdminSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the admin subcommands request from which MAD, according to its audit log. */
@Isolated // Logging is set up for the whole process.
class VerbSubcommandTest {
  private static final String TASK = "0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07";

  @TempDir Path home;

  private final List<AuditLog.Entry> asked = new CopyOnWriteArrayList<>();
  private AdminSocket socket;

  @BeforeEach
  void open() throws Exception {
    socket = open("rogers");
  }

  /** A MAD without commands: each is refused, and recorded as it came. */
  private AdminSocket open(String mad) throws Exception {
    CommandHost host = new CommandHost(mad, List.of(), asked::add, InstantSource.system());
    return AdminSocket.open(home.resolve(mad).resolve("admin.sock"), host);
  }

  @AfterEach
  void close() throws Exception {
    socket.close();
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  private TestSurroundings surroundings() {
    return new TestSurroundings(Map.of("JOSHUA_DATA_DIR", home.toString()), home);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "status; connections",
        "status --state STALE -o json; connections --state STALE -o json",
        "status --all; connections --all",
        "status --at -10m -w; connections --at -10m -w",
        "top; top",
        "top --once --every 3 -n 5 -o text; top --once --every 3 -n 5",
        "trace " + TASK + " -o json; trace -o json -- " + TASK,
        "trace --conversation " + TASK + "; trace --conversation " + TASK,
        "task list --mad rogers --status FAILED --requester ann; tasks --status FAILED --requester"
            + " ann -n 20",
        "task list --mad rogers --kind question --status FAILED; tasks --status FAILED --kind"
            + " question -n 20",
        "task list --mad rogers -w -o JSON; tasks -n 20 -w -o json",
        "task show --mad rogers " + TASK + "; task -- " + TASK + " show",
        "task show --mad rogers 3f2a; task -- 3f2a show",
        "task tail --mad rogers " + TASK + "; task -- " + TASK + " tail",
        "task cancel --mad rogers " + TASK + " -o json; task -o json -- " + TASK + " cancel",
        "ask rogers who is there?; ask --as cli -- 'who is there?'",
        "ask --as ann --conversation "
            + TASK
            + " rogers -- --why -x; "
            + "ask --as ann --conversation "
            + TASK
            + " -- '--why -x'",
        "ask rogers --offline never hello; ask --as cli --offline never -- hello",
        "ask rogers @/etc/passwd; ask --as cli -- @/etc/passwd",
        "logs rogers -f -n 3 --level warn --audit; mad-logs -f -n 3 --level warn --audit",
        "logs --correlation " + TASK + "; mad-logs --correlation " + TASK,
        "at rogers losses --since -1h -o json --help; losses --since -1h -o json --help",
        "--log-level warn at --grace-port 1 rogers tool x -- --grace-port; tool x -- --grace-port",
      })
  void asksTheMadInItsWords(String call, String verb) {
    TestSurroundings surroundings = surroundings();
    // The MAD has no commands, and reports that.
    assertThat(surroundings.run(call.split(" "))).as(surroundings.err()).isEqualTo(2);
    assertThat(surroundings.err()).contains("is not a verb of rogers");
    assertThat(asked).extracting(AuditLog.Entry::detail).containsExactly(verb);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "clients; clients",
        "clients -w -o json; clients -w -o json",
        "clients ann; client -- ann",
        "clients ann why; client -- ann why",
      })
  void asksGraceForHerClients(String call, String verb) throws Exception {
    try (AdminSocket _ = open("grace")) {
      assertThat(surroundings().run(call.split(" "))).isEqualTo(2);
    }
    assertThat(asked).extracting(AuditLog.Entry::detail).containsExactly(verb);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "trace; one of CORRELATION-ID and --conversation is needed",
        "trace x --conversation y; one of CORRELATION-ID and --conversation is needed",
        "task; ACTION is missing",
        "task show x; TASK-ID must be a UUID or the beginning of one",
        "ask; MAD is missing",
        "ask rogers; PROMPT is missing",
        "ask rogers hello --as ?; --as must be",
        "at; MAD and VERB are needed",
        "at rogres help; did you mean rogers?",
        "logs nobody; there is no MAD named",
        "status -o xml; it must be table or json",
        "top --every soon; --every",
      })
  void whatIsWronglyWrittenIsRefusedHere(String call, String why) {
    TestSurroundings surroundings = surroundings();
    assertThat(surroundings.run(call.split(" "))).isEqualTo(2);
    assertThat(surroundings.err()).contains(why);
    assertThat(asked).isEmpty();
  }

  @Test
  void aMadThatDoesntRunIsUnavailableWithARemedy() {
    TestSurroundings surroundings = surroundings();
    assertThat(surroundings.run("clients")).isEqualTo(69);
    assertThat(surroundings.err())
        .isEqualTo(
            "joshua: Joshua's grace doesn't run on the data directory %s. Start the group with %s up, or set JOSHUA_DATA_DIR to where it runs.%n"
                .formatted(home, home.resolve("joshua")));
  }
}
