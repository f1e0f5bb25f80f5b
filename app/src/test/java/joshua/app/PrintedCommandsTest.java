package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.fiedler.Fiedler;
import joshua.kernel.KnownSettings;
import joshua.kernel.ResourceText;
import joshua.rogers.Rogers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the commands that a MAD suggests instead of acting work as printed. */
@Isolated // Logging is set up for the whole process.
class PrintedCommandsTest {
  private static final Pattern COMMAND = Pattern.compile("`\\./joshua ([^`]+)`");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

  /** The exit status of a call that isn't understood. */
  private static final int USAGE = 2;

  @TempDir Path home;

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  @ParameterizedTest
  @ValueSource(classes = {Fiedler.class, Rogers.class})
  void eachIsUnderstood(Class<?> mad) {
    List<String> commands = commands(mad);
    assertThat(commands).hasSizeGreaterThan(5);
    for (String command : commands) {
      // It would run until Ctrl-C.
      if (!command.equals("up")) {
        TestSurroundings surroundings =
            new TestSurroundings(Map.of("JOSHUA_DATA_DIR", home.resolve("data").toString()), home);
        int status = surroundings.run(words(command).toArray(String[]::new));
        assertThat(status).as(command + ": " + surroundings.err()).isNotEqualTo(USAGE);
      }
    }
  }

  private static List<String> commands(Class<?> mad) {
    String text = ResourceText.beside(mad, "phrasings/howto.txt").orElseThrow();
    Matcher matcher = COMMAND.matcher(text.replace("{id}", "3f2a9c1e"));
    List<String> commands = new ArrayList<>();
    while (matcher.find()) {
      commands.add(matcher.group(1));
    }
    return commands;
  }

  /** Splits a line as a shell does. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        if (matcher.group(group) != null) {
          words.add(matcher.group(group));
        }
      }
    }
    return words;
  }
}
