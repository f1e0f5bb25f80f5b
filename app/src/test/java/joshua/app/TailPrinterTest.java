package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.kernel.Json;
import joshua.ssh.AdminConsole;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests what {@code joshua tail} shows, and how (wire contract §2). */
final class TailPrinterTest {
  /** Stores what is written, like a person's terminal or like a pipe. */
  private static final class Recorded implements AdminConsole {
    private final Optional<Size> terminal;
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder err = new StringBuilder();

    Recorded(Optional<Size> terminal) {
      this.terminal = terminal;
    }

    @Override
    public void out(String text) {
      out.append(text);
    }

    @Override
    public void err(String text) {
      err.append(text);
    }

    @Override
    public boolean gone() {
      return false;
    }

    @Override
    public Optional<Size> terminal() {
      return terminal;
    }
  }

  private final Recorded pipe = new Recorded(Optional.empty());

  private static TailFilter filter(List<String> problems, String... args) {
    TailFilter filter = new TailFilter();
    new CommandLine(new Bare()).addMixin("filter", filter).parseArgs(args);
    filter.read(problems);
    return filter;
  }

  @CommandLine.Command(name = "bare")
  private static final class Bare {}

  private static TailPrinter printer(AdminConsole adminConsole, String... args) {
    List<String> problems = new ArrayList<>();
    TailFilter filter = filter(problems, args);
    assertThat(problems).isEmpty();
    CommandOutput commandOutput = new CommandOutput(adminConsole, OutputFormat.TABLE);
    return new TailPrinter(filter, commandOutput, ZoneOffset.UTC, Long.MAX_VALUE, () -> {});
  }

  private static Envelope on(String channel, String sender, String payload) {
    return new Envelope(
        UUID.randomUUID(),
        UUID.randomUUID(),
        UUID.randomUUID(),
        Instant.parse("2026-01-31T14:05:12.345Z"),
        sender,
        Optional.empty(),
        new Channel(channel),
        Json.object(payload),
        Map.of());
  }

  /** One message of each kind, each with its channel as text. */
  private List<String> shown(String... args) {
    TailPrinter printer = printer(pipe, args);
    for (String channel :
        List.of(
            "mad.topic.a",
            "mad.direct.bob",
            "mad.broadcast",
            "mad.system.heartbeat",
            "mad.stream.t",
            "mad.topic.system_events")) {
      printer.onMessage(
          on(channel, "ann", "{\"text\":\"%s\"}".formatted(channel.replace("mad.", "on "))));
    }
    printer.onMessage(on("mad.topic.b", "bob", "{\"text\":\"Wetter\"}"));
    printer.close();
    return pipe.out.toString().lines().map(line -> line.split("  ")[1].substring(4)).toList();
  }

  @Test
  void housekeepingIsCountedNotShown() {
    assertThat(shown()).containsExactly("topic.a", "direct.bob", "broadcast", "topic.b");
    assertThat(pipe.err).hasToString("joshua: 3 system messages not shown; --all shows them\n");
  }

  @Test
  void allShowsEverything() {
    assertThat(shown("--all")).hasSize(7);
    assertThat(pipe.err).isEmpty();
  }

  @Test
  void systemAndStreamsShowTheirs() {
    assertThat(shown("--system"))
        .contains("system.heartbeat", "topic.system_events", "topic.a")
        .doesNotContain("stream.t");
    assertThat(pipe.err).hasToString("joshua: 1 system message not shown; --all shows them\n");
  }

  @Test
  void streamsAloneShowStreams() {
    assertThat(shown("--streams"))
        .contains("stream.t", "topic.a")
        .doesNotContain("system.heartbeat", "topic.system_events");
  }

  @Test
  void aPatternThatNamesThemShowsThem() {
    assertThat(shown("mad.system.*", "mad.*")).contains("system.heartbeat", "topic.a");
    assertThat(pipe.err.toString()).contains("2 system messages not shown");
  }

  @Test
  void senderPayloadAndChannelsNarrowIt() {
    assertThat(shown("--from", "bob")).containsExactly("topic.b");
    assertThat(pipe.err).isEmpty();
    pipe.out.setLength(0);
    assertThat(shown("--grep", "wett[eE]r|on direct")).containsExactly("direct.bob", "topic.b");
    pipe.out.setLength(0);
    assertThat(shown("--exclude", "mad.topic.*", "--exclude", "mad.broadcast"))
        .containsExactly("direct.bob");
  }

  @Test
  void whatCannotBeFollowedIsSaidTogether() {
    List<String> problems = new ArrayList<>();
    filter(problems, "other.*", "--grep", "(", "--from", "no name", "--exclude", "x");
    assertThat(problems)
        .satisfiesExactly(
            first -> assertThat(first).startsWith("PATTERN must be").contains("other.*"),
            second -> assertThat(second).startsWith("--exclude must be"),
            third -> assertThat(third).startsWith("--from "),
            fourth -> assertThat(fourth).startsWith("--grep must be a regular expression"));
  }

  @Test
  void thousandsAreGrouped() {
    TailPrinter printer = printer(pipe);
    for (int i = 0; i < 1_204; i++) {
      printer.onMessage(on("mad.system.heartbeat", "ann", "{}"));
    }
    printer.close();
    assertThat(pipe.err.toString()).contains("1 204 system messages not shown");
  }

  @Test
  void aLineHasTheTimeOfDayAndIsWholeInAPipe() {
    printer(pipe)
        .onMessage(on("mad.topic.a", "ann", "{\"text\":\"%s\"}".formatted("x".repeat(200))));
    assertThat(pipe.out.toString())
        .startsWith("14:05:12.345  mad.topic.a  ann  {\"text\":\"xxx")
        .endsWith("x\"}\n")
        .doesNotContain("\033");
  }

  @Test
  void aTerminalGetsOneRowAMessageAndAColourASender() {
    Recorded terminal = new Recorded(Optional.of(new AdminConsole.Size(60, 24)));
    TailPrinter printer = printer(terminal);
    for (String sender : List.of("ann", "bob", "ann")) {
      printer.onMessage(on("mad.topic.a", sender, "{\"text\":\"%s\"}".formatted("x".repeat(200))));
    }

    List<String> rows = terminal.out.toString().lines().toList();

    assertThat(rows).hasSize(3);
    assertThat(rows.getFirst()).isEqualTo(rows.getLast()).isNotEqualTo(rows.get(1));
    assertThat(rows.getFirst().replaceAll("\033\\[\\d*m", "")).hasSize(60).endsWith("…");
    assertThat(colourOf(rows.getFirst(), "ann")).isNotEqualTo(colourOf(rows.get(1), "bob"));
  }

  private static String colourOf(String row, String sender) {
    int name = row.indexOf(sender + "\033[0m");
    return row.substring(row.lastIndexOf('\033', name), name);
  }

  @Test
  void whatOthersSayDoesNothingToTheTerminal() {
    printer(pipe).onMessage(on("mad.topic.a", "ann", "{\"text\":\"\u009b2J\"}"));
    assertThat(pipe.out.toString()).contains("\\u009b2J").doesNotContain("\u009b");
  }
}
