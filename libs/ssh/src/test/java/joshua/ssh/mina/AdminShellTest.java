package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.testing.LeakCheck;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell as a user at a terminal meets it: keys go in, and the terminal's output comes out. */
@Isolated
@ExtendWith(LeakCheck.class)
class AdminShellTest {
  private static final String UP = "\033[A";
  private static final String CTRL_C = "\003";
  private static final String CTRL_D = "\004";

  private final List<String> recorded = new CopyOnWriteArrayList<>();
  private final AdminShell shell = new AdminShell();
  private final CommandHost host =
      new CommandHost(
          "grace",
          ShellVerbs.all(),
          entry ->
              recorded.add(entry.action().word() + " " + entry.detail() + " " + entry.result()),
          InstantSource.fixed(Instant.EPOCH));
  private final TypingTerminal terminal = new TypingTerminal();
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private CompletableFuture<Integer> session = CompletableFuture.completedFuture(0);

  @AfterEach
  void leave() throws Exception {
    terminal.hangUp();
    terminal.signalInterrupt();
    session.handle((_, _) -> 0).get(20, TimeUnit.SECONDS);
  }

  @Test
  void greetsAsksCarriesOutAndLeaves() throws Exception {
    open(Role.VIEWER);

    terminal.awaitShown("This is grace. You are anna, and your role is viewer.\r\n");
    terminal.awaitShown("grace> ");
    terminal.type("client client-anna\r");
    terminal.awaitShown("this is <client-anna>\r\n").awaitShown("grace> ");
    terminal.type(CTRL_D);

    assertThat(exitStatus()).isZero();
    assertThat(recorded).containsExactly("command client client-anna ok");
    assertThat(terminal.busy()).containsExactly(true, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit\r", "quit\r", "  exit \r"})
  void leavesByAWord(String typed) throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type(typed);
    assertThat(exitStatus()).isZero();
    assertThat(recorded).isEmpty();
  }

  @Test
  void endsWithTheStatusOfTheLastVerb() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("client nobody\r");
    terminal.awaitShown("joshua: there is no client nobody\r\n").awaitShown("grace> ");
    terminal.type("\r" + CTRL_D);
    assertThat(exitStatus()).isEqualTo(1);
  }

  @Test
  void ctrlCStopsTheVerbAndOnlyTheVerb() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("sleep\r");
    terminal.awaitShown("sleeping").type(CTRL_C);
    terminal.awaitShown(" no more\r\n").awaitShown("grace> ").type("client client-zoe\r");
    terminal.awaitShown("this is <client-zoe>");
    assertThat(recorded)
        .containsExactly("command sleep interrupted", "command client client-zoe ok");
  }

  @Test
  void ctrlCStopsAStreamHoweverMuchWasTypedAhead() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("count\r");
    terminal.awaitShown("number 20").type("clients\r".repeat(KeyBuffer.ROOM));
    terminal.type(CTRL_C);
    terminal.awaitShown("grace> ").type("client client-zoe\r");
    terminal.awaitShown("this is <client-zoe>");
    assertThat(recorded)
        .containsExactly("command count interrupted", "command client client-zoe ok");
  }

  @Test
  void aSignalOfTheClientStopsTheVerb() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("sleep\r");
    terminal.awaitShown("sleeping").signalInterrupt();
    terminal.awaitShown("grace> ");
    assertThat(recorded).containsExactly("command sleep interrupted");
  }

  @Test
  void ctrlCAtThePromptClearsTheLine() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("drop everything");
    terminal.awaitShown("everything").type(CTRL_C);
    terminal.awaitShown("grace> ").type("client client-zoe\r");
    terminal.awaitShown("this is <client-zoe>");
    assertThat(recorded).containsExactly("command client client-zoe ok");
  }

  @Test
  void whatIsTypedAheadIsCarriedOutAfterwards() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("clients\rclient client-anna\rclient client-zoe\r");
    terminal.awaitShown("<client-anna>").awaitShown("<client-zoe>");
    assertThat(recorded)
        .containsExactly(
            "command clients ok", "command client client-anna ok", "command client client-zoe ok");
  }

  @Test
  void remembersWhatTheSameKeyTypedBefore() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("client client-anna\r");
    terminal.awaitShown("<client-anna>").awaitShown("grace> ").type(CTRL_D);
    exitStatus();

    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type(UP);
    terminal.awaitShown("client client-anna").type("\r");
    terminal.awaitShown("this is <client-anna>");
    terminal.awaitShown("grace> ").type("\022-ann\r");
    terminal.awaitShown("this is <client-anna>");
  }

  @Test
  void completesVerbsOptionsAndIds() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("sle\t\r");
    terminal.awaitShown("sleeping").type(CTRL_C);
    terminal.awaitShown("grace> ").type("client client-z\t\r");
    terminal.awaitShown("this is <client-zoe>").awaitShown("grace> ").type("clients --out\tjs\t\r");
    terminal.awaitShown("{\"clients\":2}");
  }

  @Test
  void offersNoWordThatATerminalWouldObey() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("client client-\t");
    terminal.awaitShown("anna").awaitShown("zoe");
    assertThat(terminal.shown()).doesNotContain("owned");
  }

  @Test
  void redrawsToTheSizeOfTheTerminalAsItIs() throws Exception {
    terminal.resize(40, 10);
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("top --every 1\r");
    terminal.awaitShown("sender-6").awaitShown("… and 34 lines more");
    assertThat(terminal.shown()).doesNotContain("sender-7");
    terminal.resize(400, 60);
    terminal.awaitShown("sender-40").awaitShown("ends").type(CTRL_C);
    terminal.awaitShown("grace> ");
    assertThat(recorded).containsExactly("command top --every 1 interrupted");
  }

  @Test
  void aDumbTerminalGetsPlainText() throws Exception {
    TypingTerminal dumb = new TypingTerminal("dumb");
    open(Role.VIEWER, dumb);
    dumb.awaitShown("grace> ").type("clients\r");
    dumb.awaitShown("gone").awaitShown("grace> ").type(CTRL_D);
    exitStatus();
    assertThat(dumb.shown()).doesNotContain("\033");
  }

  @Test
  void endsWhenThePersonHangsUp() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").hangUp();
    assertThat(exitStatus()).isZero();
  }

  @Test
  void endsWhenItIsInterrupted() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("sleep\r");
    terminal.awaitShown("sleeping");
    thread.get().interrupt();
    assertThat(session)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(recorded).containsExactly("command sleep interrupted");
  }

  @Test
  void endsAtThePromptWhenItIsInterrupted() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ");
    thread.get().interrupt();
    assertThat(session)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(InterruptedException.class);
  }

  /** Security: JLine's own key bindings would repeat a letter any number of times. */
  @Test
  void keysBeyondTheListDoNothing() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("\0339\0339\0339x");
    terminal.awaitShown("999x").type("\025client client-zoe\r");
    terminal.awaitShown("this is <client-zoe>");
  }

  @Test
  @TriesLimit("ssh.typed")
  void aLineByKeysHasAnEnd() throws Exception {
    open(Role.VIEWER);
    terminal.awaitShown("grace> ").type("client client-");
    terminal.type("z".repeat(KeyBuffer.MOST_AT_ONE_PROMPT));
    terminal.awaitShown("joshua: more than 65536 bytes were typed at one prompt\r\n");
    assertThat(exitStatus()).isEqualTo(2);
  }

  private void open(Role role) {
    open(role, terminal);
  }

  private void open(Role role, ShellSession.Terminal at) {
    AdminCaller adminCaller =
        new AdminCaller("anna", role, Optional.of("SHA256:abc"), "127.0.0.1:50000", "s-1");
    CompletableFuture<Integer> opened = new CompletableFuture<>();
    session = opened;
    thread.set(
        Thread.ofVirtual()
            .name("session")
            .start(() -> {
              try {
                opened.complete(shell.run(host, adminCaller, at));
              } catch (IOException | InterruptedException | RuntimeException | Error e) {
                opened.completeExceptionally(e);
              }
            }));
  }

  private int exitStatus() throws InterruptedException, ExecutionException, TimeoutException {
    return session.get(20, TimeUnit.SECONDS);
  }
}
