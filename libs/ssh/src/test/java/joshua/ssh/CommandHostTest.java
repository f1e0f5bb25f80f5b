package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.kernel.Json;
import joshua.kernel.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Running a command for any caller: parsing, role check, audit, verb, exit status. */
class CommandHostTest {
  private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

  private final List<AuditLog.Entry> audit = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final NotedConsole console = NotedConsole.program();

  enum Colour {
    RED,
    GREEN
  }

  @Command(name = "paint", description = "Paint one thing.", footer = "  paint door --colour red")
  private static final class Paint extends Verb {
    @Option(names = "--colour", description = "Which colour.")
    private Colour colour = Colour.RED;

    @Parameters(paramLabel = "THING", description = "What to paint.")
    private String thing = "";

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.show(
          new VerbReport(
              Json.object().put("thing", thing),
              () ->
                  List.of(StyledLine.of(thing + " is " + colour.name().toLowerCase(Locale.ROOT)))));
    }

    @Override
    public List<String> withheld() {
      return thing.equals("secret") ? List.of(thing) : List.of();
    }

    @Override
    public List<String> candidates(List<String> before, AdminCaller adminCaller) {
      return before.isEmpty() ? List.of("door", "wall") : List.of();
    }
  }

  @Command(name = "drop", description = "Drop a client.")
  private final class Drop extends Verb {
    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      happened.add("dropped by " + adminCaller.name());
    }
  }

  @Command(name = "fail", description = "Fail in some way.")
  private static final class Fail extends Verb {
    @Parameters(paramLabel = "HOW", description = "In which way.")
    private String how = "";

    @Override
    public Role role() {
      if (how.equals("role")) {
        throw new IllegalStateException("a mistake before it runs");
      }
      return Role.VIEWER;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws VerbFailedException, InterruptedException {
      switch (how) {
        case "refused" -> throw VerbFailedException.refused("no such \033[31mthing");
        case "away" -> throw VerbFailedException.unavailable("the bus is away");
        case "stopped" -> throw new InterruptedException();
        case "late" -> Thread.currentThread().interrupt();
        default -> throw new IllegalStateException("a mistake");
      }
    }
  }

  private CommandHost host(AuditLog to) {
    List<Supplier<? extends Verb>> verbs = List.of(Paint::new, Drop::new, Fail::new);
    return new CommandHost("grace", verbs, to, InstantSource.fixed(NOW));
  }

  private ExitStatus run(Role role, String line) {
    return host(audit::add).run(line, access(role), console);
  }

  private static AdminCaller access(Role role) {
    return new AdminCaller("anna", role, Optional.of("SHA256:abc"), "127.0.0.1:50000", "s-1");
  }

  private List<String> recorded() {
    return audit.stream()
        .map(entry -> entry.action().word() + " " + entry.detail() + ": " + entry.result())
        .toList();
  }

  @Test
  void runsAVerbAndRecordsWhoDidWhat() {
    assertThat(run(Role.VIEWER, "paint 'front door' --colour green")).isEqualTo(ExitStatus.OK);
    assertThat(console.out()).isEqualTo("front door is green\n");
    assertThat(console.err()).isEmpty();
    assertThat(audit)
        .containsExactly(
            new AuditLog.Entry(
                NOW,
                "127.0.0.1:50000",
                "anna",
                Optional.of("SHA256:abc"),
                Optional.of(Role.VIEWER),
                AuditLog.Action.COMMAND,
                "paint 'front door' --colour green",
                "paint … --colour green",
                "ok"));
  }

  @Test
  void givesProgramsJson() {
    assertThat(run(Role.VIEWER, "paint door -o JSON")).isEqualTo(ExitStatus.OK);
    assertThat(console.out()).isEqualTo("{\"thing\":\"door\"}\n");
  }

  @Test
  void refusesWhomTheRoleDoesNotSuffice() {
    assertThat(run(Role.VIEWER, "drop")).isEqualTo(ExitStatus.REFUSED);
    assertThat(console.err())
        .isEqualTo("joshua: drop needs the role operator, and yours is viewer\n");
    assertThat(happened).isEmpty();
    assertThat(recorded()).containsExactly("command drop: refused");
  }

  @Test
  void recordsWhatChangesSomethingBeforeItIsDone() {
    for (Role role : List.of(Role.OPERATOR, Role.ADMIN)) {
      audit.clear();
      happened.clear();
      AuditLog noting =
          entry -> {
            happened.add(entry.result());
            audit.add(entry);
          };
      assertThat(host(noting).run("drop", access(role), console)).isEqualTo(ExitStatus.OK);
      assertThat(happened).containsExactly("begun", "dropped by anna", "ok");
      assertThat(recorded()).containsExactly("begin drop: begun", "command drop: ok");
    }
  }

  @Test
  void changesNothingThatCannotBeRecorded() {
    CommandHost host =
        host(entry -> {
          throw new AuditLog.UnrecordedException(new IllegalStateException("the disk is full"));
        });
    assertThat(host.run("drop", access(Role.ADMIN), console)).isEqualTo(ExitStatus.UNAVAILABLE);
    assertThat(happened).isEmpty();
    assertThat(console.err())
        .isEqualTo("joshua: the audit can't be written now, and this isn't done without\n");

    assertThat(host.run("paint door", access(Role.ADMIN), console)).isEqualTo(ExitStatus.OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pain door              | "pain" is not a verb of grace; did you mean paint?
          reboot                 | "reboot" is not a verb of grace; help lists them
          paint door wall        | "wall" is one word too many for paint
          paint door --color red | --color is not an option of paint; did you mean --colour?
          paint                  | Missing required parameter: 'THING'
          paint 'door            | a quotation mark isn't closed: '
          help nothing           | "nothing" is not a verb of grace; help lists them
          """)
  void saysWhatIsWrongWithACommand(String line, String sentence) {
    assertThat(run(Role.ADMIN, line)).isEqualTo(ExitStatus.USAGE);
    assertThat(console.err()).startsWith("joshua: " + sentence);
    assertThat(console.err().lines()).hasSize(1);
    assertThat(recorded()).hasSize(1).first().asString().endsWith(": usage");
  }

  /** Security: what viewers and the bus learn of a command contains no withheld text. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          paint door --colour red    | paint door --colour red
          paint 'a whole sentence'   | paint …
          paint --colour=red door    | paint --colour=red door
          paint secret -o json       | paint … -o json
          paint one two three        | paint …
          what failed since noon?    | …
          paint 'door                | …
          drop                       | drop
          """)
  void whatIsToldOfACommandLeavesOutWhatWasSaidInIt(String line, String told) {
    run(Role.OPERATOR, line);
    assertThat(audit).isNotEmpty().allMatch(entry -> entry.publicDetail().equals(told));
  }

  @Test
  void sayingNothingIsMisuse() {
    assertThat(run(Role.ADMIN, "   ")).isEqualTo(ExitStatus.USAGE);
    assertThat(console.err()).isEqualTo("joshua: no verb was given; help lists them\n");
  }

  @ParameterizedTest
  @CsvSource({
    "refused, REFUSED, no such \\u001b[31mthing",
    "away, UNAVAILABLE, the bus is away",
    "else, MISTAKE, the verb failed by a mistake of its own; the log tells where",
    "role, MISTAKE, the verb failed by a mistake of its own; the log tells where",
  })
  void aVerbThatFailsEndsInASentence(String how, ExitStatus status, String sentence) {
    assertThat(run(Role.VIEWER, "fail " + how)).isEqualTo(status);
    assertThat(console.err()).isEqualTo("joshua: " + sentence + "\n");
    assertThat(console.out()).isEmpty();
    assertThat(recorded())
        .containsExactly(
            "command fail %s: %s".formatted(how, status.name().toLowerCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @CsvSource({"stopped", "late"})
  void aVerbThatIsStoppedIsRecordedAsInterrupted(String how) {
    assertThat(run(Role.VIEWER, "fail " + how)).isEqualTo(ExitStatus.INTERRUPTED);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(recorded()).containsExactly("command fail " + how + ": interrupted");
  }

  @Test
  void aCommandHasAnEnd() {
    assertThat(run(Role.VIEWER, "paint " + "x".repeat(CommandLineParser.MAX_CHARACTERS)))
        .isEqualTo(ExitStatus.USAGE);
    assertThat(run(Role.VIEWER, "paint" + " x".repeat(CommandLineParser.MAX_WORDS)))
        .isEqualTo(ExitStatus.USAGE);
    assertThat(audit)
        .extracting(entry -> entry.detail().length())
        .allMatch(length -> length <= AuditLog.Entry.DETAIL + 1);
  }

  /** Denial of service: a viewer's command costs the audit log little, however long it is. */
  @ParameterizedTest
  @CsvSource({"VIEWER, help ", "VIEWER, paint ", "VIEWER, drop ", "OPERATOR, reboot "})
  void whatChangesNothingIsRecordedShort(Role role, String verb) {
    run(role, verb + "x".repeat(4_080));
    assertThat(audit).hasSize(1);
    assertThat(audit.getFirst().detail().length()).isLessThanOrEqualTo(CommandHost.SHORT_DETAIL);
    assertThat(audit.getFirst().publicDetail().length())
        .isLessThanOrEqualTo(CommandHost.SHORT_DETAIL);
  }

  /** Denial of service: a script with a viewer's key is slowed down, not refused. */
  @Test
  void aViewersKeyWaitsForItsTurn() {
    CommandHost host = host(audit::add);
    int most = ViewerPace.BURST + 15;
    long start = System.nanoTime();
    for (int i = 0; i < most; i++) {
      assertThat(host.run("paint door", access(Role.VIEWER), console)).isEqualTo(ExitStatus.OK);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(ViewerPace.INTERVAL.multipliedBy(14));
    assertThat(audit).hasSize(most);
  }

  @Test
  void aViewerWhoGoesWhileItWaitsRunsNothing() {
    ViewerPace pace =
        new ViewerPace(
            wait -> {
              throw new InterruptedException();
            },
            () -> 0);
    for (int i = 0; i < ViewerPace.BURST; i++) {
      assertThat(pace.awaitTurn(access(Role.VIEWER))).isTrue();
    }
    assertThat(pace.awaitTurn(access(Role.VIEWER))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(pace.awaitTurn(access(Role.OPERATOR))).isTrue();
  }

  @Test
  void helpListsTheVerbsAndTellsOfOne() {
    assertThat(run(Role.VIEWER, "help")).isEqualTo(ExitStatus.OK);
    assertThat(console.out().lines().toList())
        .containsSubsequence(
            "VERB   NEEDS     WHAT IT DOES",
            "paint            Paint one thing.",
            "drop   operator  Drop a client.");

    NotedConsole json = NotedConsole.program();
    assertThat(host(audit::add).run("help -o json", access(Role.VIEWER), json))
        .isEqualTo(ExitStatus.OK);
    assertThat(json.out())
        .contains("{\"verb\":\"drop\",\"sentence\":\"Drop a client.\",\"role\":\"operator\"}");

    NotedConsole one = NotedConsole.program();
    assertThat(host(audit::add).run("help paint", access(Role.VIEWER), one))
        .isEqualTo(ExitStatus.OK);
    NotedConsole option = NotedConsole.program();
    assertThat(host(audit::add).run("paint --help", access(Role.VIEWER), option))
        .isEqualTo(ExitStatus.OK);
    assertThat(option.out())
        .isEqualTo(one.out())
        .contains("Paint one thing.", "--colour", "paint door --colour red");
  }

  @Test
  void completesVerbsThatTheRoleMayRun() {
    assertThat(complete(Role.VIEWER)).contains("help", "paint", "fail").doesNotContain("drop");
    assertThat(complete(Role.OPERATOR)).contains("drop");
  }

  @Test
  void completesParametersOptionsAndTheirValues() {
    assertThat(complete(Role.VIEWER, "paint")).contains("door", "wall", "--colour", "--output");
    assertThat(complete(Role.VIEWER, "paint", "--colour")).containsExactly("red", "green");
    assertThat(complete(Role.VIEWER, "paint", "-o")).containsExactly("table", "json");
    assertThat(complete(Role.VIEWER, "paint", "--output", "json")).contains("door");
    assertThat(complete(Role.VIEWER, "paint", "door")).contains("-h").doesNotContain("door");
    assertThat(complete(Role.VIEWER, "help")).contains("paint");
    assertThat(complete(Role.VIEWER, "nothing")).isEmpty();
  }

  private List<String> complete(Role role, String... words) {
    return host(audit::add).complete(List.of(words), access(role));
  }

  @Test
  void noTwoVerbsHaveOneName() {
    List<Supplier<? extends Verb>> twice = List.of(Paint::new, Paint::new);
    assertThatThrownBy(() -> new CommandHost("grace", twice, audit::add, InstantSource.fixed(NOW)))
        .hasMessage("two verbs are called paint");
  }
}
