package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.ssh.CommandHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell as a user sees it: OpenSSH's {@code ssh} in a real terminal, and its screen. */
class AdminShellIT {
  @TempDir private Path directory;
  private final List<String> recorded = new CopyOnWriteArrayList<>();
  private final AdminShell shell = new AdminShell();
  private SshForTests ssh;

  @BeforeEach
  void start() throws Exception {
    String ann = SshForTests.key(directory, "ann");
    ssh =
        new SshForTests(
            directory,
            (host, adminCaller, terminal) -> shell.run(verbs(), adminCaller, terminal),
            "environment=\"JOSHUA_ROLE=operator\" " + ann);
  }

  @AfterEach
  void stop() {
    ssh.close();
  }

  private CommandHost verbs() {
    return new CommandHost(
        "grace",
        ShellVerbs.all(),
        entry -> recorded.add(entry.action().word() + " " + entry.detail() + ": " + entry.result()),
        ssh.time);
  }

  private TmuxTerminal terminal(int columns, int rows) throws Exception {
    return new TmuxTerminal(directory, columns, rows, ssh.words("ann", List.of("-q")));
  }

  @Test
  void anEveningAtTheShell() throws Exception {
    try (TmuxTerminal window = terminal(80, 24)) {
      window.awaitLastRow("grace>");
      assertThat(window.screen())
          .containsExactly(
              "This is grace. You are ann, and your role is operator.",
              "help lists the verbs, TAB completes, Ctrl-C stops a verb, Ctrl-D leaves.",
              "grace>");

      window.type("clie").press("Tab");
      window.awaitRow("client   Show one client\\..*clients  List who is there\\.");
      window.type("s").press("Enter");
      window.awaitLastRow("grace>");
      assertThat(window.screen())
          .endsWith(
              "grace> clients",
              "CLIENT        WAITING  STATE",
              "anna                3  connected",
              "b\\u001b[2Jen      100  gone",
              "grace>");

      window.type("client client-z").press("Tab", "Enter");
      window.awaitRow("this is <client-zoe>");
      window.awaitLastRow("grace>");
      window.press("Up", "Up").awaitLastRow("grace> clients");
      window.press("C-c").awaitLastRow("grace>");
      window.press("C-r").type("zo").press("Enter");
      await().until(() -> recorded.size() == 3);
      window.awaitLastRow("grace>");
      window.press("C-d").awaitLastRow("ended with 0");
    }
    assertThat(recorded)
        .containsExactly(
            "command clients: ok",
            "command client client-zoe: ok",
            "command client client-zoe: ok");
  }

  @Test
  void ctrlCEndsAStreamAndTheShellGoesOn() throws Exception {
    try (TmuxTerminal window = terminal(80, 24)) {
      window.awaitLastRow("grace>");
      window.type("count").press("Enter").awaitRow("number \\d+");
      window.type("typed ahead").press("C-c").awaitLastRow("grace>");
      window.type("sleep").press("Enter").awaitLastRow("sleeping");
      window.press("C-c").awaitRow("sleeping no more");
      window.awaitLastRow("grace>");
    }
    assertThat(recorded)
        .containsExactly("command count: interrupted", "command sleep: interrupted");
  }

  @Test
  void aViewFollowsTheWindowInWidthAndHeight() throws Exception {
    try (TmuxTerminal window = terminal(80, 24)) {
      window.awaitLastRow("grace>");
      window.type("top --every 1").press("Enter").awaitLastRow("… and 20 lines more");
      assertThat(window.screen())
          .hasSize(23)
          .first()
          .isEqualTo("SENDER     A MINUTE  WHAT IT SENDS, IN AS MANY WORDS AS IT TAKES");
      assertThat(window.screen().get(2)).hasSize(80).endsWith("…");

      window.resize(200, 30);
      window.awaitLastRow("… and 14 lines more");
      assertThat(window.screen()).hasSize(29);
      assertThat(window.screen().get(2)).endsWith(" a long text ends");

      window.resize(60, 10);
      await().untilAsserted(() -> assertThat(window.screen()).hasSize(9));
      window.awaitLastRow("… and 34 lines more");
      assertThat(window.screen()).allMatch(row -> row.length() <= 60);

      window.press("C-c").awaitLastRow("grace>");
      window.resize(40, 10);
      window.type("client 'a name of many words that wraps'");
      window.awaitLastRow(" wraps'");
      window.press("Enter").awaitRow("joshua: there is no client a name of man.*");
    }
  }

  @Test
  void aWindowThatIsClosedStopsTheVerb() throws Exception {
    try (TmuxTerminal window = terminal(80, 24)) {
      window.awaitLastRow("grace>");
      window.type("count").press("Enter").awaitRow("number \\d+");
    }
    // It ends by an interrupt or because the client has gone, whichever comes first.
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(recorded)
                .singleElement()
                .isIn("command count: interrupted", "command count: ok"));
  }

  /** Without a window of its own, {@code ssh -tt} still makes a terminal, which has no size. */
  @Test
  void aScriptMayTypeIntoATerminalWithoutASize() throws Exception {
    SshForTests.Result result =
        ssh.with("ann", List.of("-tt"), "client client-anna\rclient nobody\r\004");
    assertThat(result.out())
        .contains("this is <client-anna>\r\n", "joshua: there is no client nobody\r\n");
    assertThat(result.status()).isEqualTo(1);
  }
}
