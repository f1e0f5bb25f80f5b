package joshua.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs, without a socket. */
class VerbHostTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final VerbHost host = TestVerbs.host();

  private int run(Role role, int columns, String... words) {
    Caller caller = new Caller(Optional.of("ann"), role, new Connection("test", () -> false));
    PrintStream shown = new PrintStream(out, true, UTF_8);
    PrintStream complaints = new PrintStream(err, true, UTF_8);
    VerbTerminal terminal = new VerbTerminal(shown, complaints, columns, false, "ann");
    return host.run(List.of(words), caller, terminal);
  }

  private String said() {
    return out.toString(UTF_8);
  }

  @Test
  void rowsAreATableWhoseColumnsAreAlignedAsATerminalShowsThem() {
    assertThat(run(Role.VIEWER, 80, "list", "a", "日本", "e\u0301", "\u001b[2J")).isZero();
    assertThat(said())
        .isEqualTo(
            """
            name       length  text
            a          1       a|
            日本       2       日本|
            e\u0301          2       e\u0301|
            \\u001b[2J  4       \\u001b[2J|
            viewer     -       -
            """);
  }

  @Test
  void aTableIsFittedToTheTerminal() {
    String[] texts = {"list", "x".repeat(200), "日".repeat(100), "\u202e".repeat(50), "short"};
    assertThat(run(Role.VIEWER, 80, texts)).isZero();
    assertThat(said().lines())
        .allMatch(line -> TextTable.width(line) <= 80)
        .anyMatch(line -> line.startsWith("x".repeat(39) + "…  200     xxxx"))
        .anyMatch(line -> line.startsWith("日".repeat(19) + "…   100     日日"));
  }

  @Test
  void aVerbHasSomeWordsAtMost() {
    String[] words = Collections.nCopies(1_001, "list").toArray(String[]::new);
    assertThat(run(Role.VIEWER, 80, words)).isEqualTo(ExitStatus.USAGE);
    assertThat(err).hasToString("A verb has 1000 words at most.\n");
  }

  @Test
  void theLastColumnTakesTheRestOnAsManyLinesOrHasItsOwn() {
    String words = "a few words that need some room, more than three lines of a table have";
    assertThat(run(Role.VIEWER, 60, "list", "four", words)).isZero();
    assertThat(said())
        .contains(
            """
            four                            4       four|
            a few words that need some ro…  70      a few words that
                                                    need some room, more
                                                    than three lines of…
            """);
    out.reset();
    assertThat(run(Role.VIEWER, 40, "list", "four", words)).isZero();
    assertThat(said())
        .startsWith(
            """
            name                  length
              text
            four                  4
              four|
            a few words that ne…  70
              a few words that need some room, more
              than three lines of a table have|
            """);
  }

  @Test
  void nothingIsCutWhereThereIsNoTerminal() {
    assertThat(run(Role.VIEWER, 0, "list", "x".repeat(200))).isZero();
    assertThat(said()).contains("x".repeat(200) + "  200     " + "x".repeat(200) + "|\n");
  }

  @Test
  void rowsAreOneArrayOfWholeObjectsForPrograms() {
    assertThat(run(Role.ADMIN, 10, "list", "a\u202e\u001b", "-o", "json")).isZero();
    assertThat(said())
        .isEqualTo(
            "[{\"name\":\"a\\u202e\\u001B\",\"length\":3,\"text\":\"a\\u202e\\u001B|\"},"
                + "{\"name\":\"admin\"}]\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"greet ann", "greet", "greet --help", "greet --nonsense"})
  void theRoleComesBeforeAnythingElse(String words) {
    assertThat(run(Role.VIEWER, 80, words.split(" "))).isEqualTo(ExitStatus.FAILED);
    assertThat(err).hasToString("greet needs the role operator, and yours is viewer.\n");
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"overflow", "unmade"})
  void whateverAVerbThrowsIsInTheLogAndHasAnId(String verb) {
    assertThat(run(Role.ADMIN, 80, verb)).isEqualTo(ExitStatus.INTERNAL);
    assertThat(err).asString().contains("under correlation id").doesNotContain("secret");
  }

  @Test
  void anInterruptEndsAVerb() throws Exception {
    AtomicInteger status = new AtomicInteger();
    Thread verb =
        Thread.ofVirtual().start(() -> status.set(run(Role.VIEWER, 80, "wait", "interrupted")));
    Await.until("it waits", () -> TestVerbs.WAITING.contains("interrupted"));
    verb.interrupt();
    verb.join();
    assertThat(status).hasValue(ExitStatus.INTERRUPTED);
  }

  @Test
  void noFileIsOpenedForAnArgument() {
    assertThat(run(Role.ADMIN, 80, "greet", "@pom.xml")).isZero();
    assertThat(said()).isEqualTo("Hello, @pom.xml\n");
  }
}
