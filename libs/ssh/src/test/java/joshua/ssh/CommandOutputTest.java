package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

/** The output of verbs to programs and terminals. */
class CommandOutputTest {
  /** Clears the screen, sets the window's title, reverses text, ends a line. */
  private static final String HOSTILE = "a\033[2Jb\u009b31mc\u202ed\re\nf\tg\u0007";

  private final NotedConsole program = NotedConsole.program();

  @Test
  void foreignTextInALineIsShownNotObeyed() {
    new CommandOutput(program, OutputFormat.TABLE).lines(List.of(StyledLine.of(HOSTILE)));
    assertThat(program.out())
        .isEqualTo("a\\u001b[2Jb\\u009b31mc\\u202ed\\u000de\\u000af\\u0009g\\u0007\n");
  }

  @Test
  void textKeepsItsLinesAndTabsOnly() {
    new CommandOutput(program, OutputFormat.TABLE).text(HOSTILE);
    assertThat(program.out()).isEqualTo("a\\u001b[2Jb\\u009b31mc\\u202ed\\u000de\nf\tg\\u0007");
  }

  @Test
  void remarksAreMadeHarmlessToo() {
    new CommandOutput(program, OutputFormat.JSON).remark("no \033[31m");
    assertThat(program.err()).isEqualTo("joshua: no \\u001b[31m\n");
    assertThat(program.out()).isEmpty();
  }

  @Test
  void jsonIsHarmlessAndMeansTheSame() throws Exception {
    new CommandOutput(program, OutputFormat.JSON).json(Json.object().put("id", HOSTILE));
    assertThat(program.out()).endsWith("\n").doesNotContain("\033", "\u009b", "\u202e");
    assertThat(Json.parse(program.out().strip()).path("id").asText()).isEqualTo(HOSTILE);
  }

  @Test
  void aReportIsShownInTheFormatThatIsWanted() {
    VerbReport verbReport =
        new VerbReport(Json.object().put("a", 1), () -> List.of(StyledLine.of("a is 1")));
    new CommandOutput(program, OutputFormat.TABLE).show(verbReport);
    new CommandOutput(program, OutputFormat.JSON).show(verbReport);
    assertThat(program.out()).isEqualTo("a is 1\n{\"a\":1}\n");
  }

  @Test
  void coloursAreForTerminals() {
    List<StyledLine> lines = List.of(StyledLine.of("gone", TextStyle.BAD));
    NotedConsole terminal = NotedConsole.terminal(80, 24);
    new CommandOutput(program, OutputFormat.TABLE).lines(lines);
    new CommandOutput(terminal, OutputFormat.TABLE).lines(lines);
    assertThat(program.out()).isEqualTo("gone\n");
    assertThat(terminal.out()).isEqualTo("\033[31mgone\033[0m\n");
  }

  @Test
  void linesAreBrokenBetweenWordsOnATerminalOnly() {
    List<StyledLine> lines = List.of(StyledLine.of("one two three four five"));
    NotedConsole terminal = NotedConsole.terminal(20, 24);
    new CommandOutput(program, OutputFormat.TABLE).lines(lines);
    new CommandOutput(terminal, OutputFormat.TABLE).lines(lines);
    assertThat(program.out()).isEqualTo("one two three four five\n");
    assertThat(plain(terminal.out())).isEqualTo("one two three four\nfive\n");
  }

  @Test
  void isLiveForPeopleAtATerminalOnly() {
    NotedConsole terminal = NotedConsole.terminal(80, 24);
    assertThat(new CommandOutput(terminal, OutputFormat.TABLE).live()).isTrue();
    assertThat(new CommandOutput(terminal, OutputFormat.JSON).live()).isFalse();
    assertThat(new CommandOutput(program, OutputFormat.TABLE).live()).isFalse();
  }

  @Test
  void aViewIsCutToTheTerminalAndSaysWhatIsMissing() {
    NotedConsole terminal = NotedConsole.terminal(20, 5);
    List<StyledLine> lines = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      lines.add(StyledLine.of("line %d is much too long for it".formatted(i)));
    }
    new CommandOutput(terminal, OutputFormat.TABLE).redraw(lines);
    assertThat(plain(terminal.out()).lines())
        .containsExactly(
            "line 1 is much too …",
            "line 2 is much too …",
            "line 3 is much too …",
            "… and 7 lines more");
  }

  @Test
  void aViewThatJustFitsIsWhole() {
    NotedConsole terminal = NotedConsole.terminal(20, 3);
    new CommandOutput(terminal, OutputFormat.TABLE)
        .redraw(List.of(StyledLine.of("one"), StyledLine.of("two")));
    assertThat(plain(terminal.out())).isEqualTo("one\ntwo\n");
  }

  @Test
  void aViewIsClearedOnceAndWrittenOverAfterwards() {
    NotedConsole terminal = NotedConsole.terminal(20, 5);
    CommandOutput commandOutput = new CommandOutput(terminal, OutputFormat.TABLE);
    commandOutput.redraw(List.of(StyledLine.of("first")));
    commandOutput.redraw(List.of(StyledLine.of("next")));
    assertThat(terminal.out())
        .isEqualTo("\033[H\033[2J\033[Kfirst\n\033[J" + "\033[H\033[Knext\n\033[J");
  }

  private static String plain(String shown) {
    return shown.replaceAll("\033\\[[0-9]*[A-Za-z]", "");
  }
}
