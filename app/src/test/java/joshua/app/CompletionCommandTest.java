package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import joshua.kernel.KnownSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what bash offers with the printed script, by running bash; {@code _} stands for a word of
 * which nothing has been typed.
 */
@Isolated // Logging is set up for the whole process.
class CompletionCommandTest {
  /**
   * Types its arguments after the first, the script, and prints what TAB would offer at the last.
   */
  private static final String TAB =
      """
      source "$1"; shift
      compopt() { :; }  # Bash has it only while somebody types.
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      _complete_joshua
      printf '%s\\n' "${COMPREPLY[@]}"
      """;

  @TempDir Path home;
  private Path script;

  @BeforeEach
  void print() throws Exception {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    assertThat(surroundings.run("completion", "bash")).as(surroundings.err()).isZero();
    script = Files.writeString(home.resolve("completion"), surroundings.out());
    Files.createDirectory(home.resolve("backups"));
  }

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ta; tail task",
        "ask f; fiedler",
        "at _; fiedler grace rogers",
        "at rog; rogers",
        "task ta; tail",
        "task list --status FA; FAILED",
        "task list --kind q; question",
        "task list -o j; json",
        "logs g; grace",
        "token _; create list revoke",
        "token create ann --role v; viewer",
        "status --w; --watch",
        "connect cu; cursor",
        "completion _; bash",
        "backup b; backups",
      })
  void offersWhatFits(String typed, String offered) throws Exception {
    assertThat(offered(typed)).containsExactlyInAnyOrder(offered.split(" "));
  }

  private List<String> offered(String typed) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", TAB, "bash"));
    command.add(script.toString());
    command.add("joshua");
    for (String word : typed.split(" ")) {
      command.add(word.equals("_") ? "" : word);
    }
    Process bash =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return answer.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  @Test
  void itIsForBash() {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    assertThat(surroundings.run("completion", "fish")).isEqualTo(2);
    assertThat(surroundings.err()).contains("SHELL must be bash");
  }
}
