package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.program.Program.Run;
import org.junit.jupiter.api.Test;

class ReadmeTest extends ProgramTest {
  /** A word, or words between quotation marks; more than one blank begins a remark. */
  private static final Pattern WORD = Pattern.compile("\\G ?(?:\"([^\"]*)\"|([^\\s\"]+))");

  private static final Set<String> STAYS = Set.of("tail", "chat");

  /** Those that need what a machine may not have, and those that run by themselves. */
  private static final Set<String> NOT_HERE = Set.of("keys", "token", "stop", "up");

  @Test
  void whatTheReadmeShowsWorks() throws Exception {
    List<List<String>> commands = commands();
    assertThat(commands).contains(List.of("up", "-d"), List.of("send", "bob", "hello"));
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    for (List<String> command : commands) {
      String[] words = command.toArray(String[]::new);
      if (STAYS.contains(words[0])) {
        program.start(words).awaitSaid(words[0].equals("tail") ? "Following" : "You are");
      } else if (!NOT_HERE.contains(words[0])) {
        Run run = program.run(words);
        assertThat(run.exitStatus()).as("%s: %s", command, run.complained()).isZero();
      }
    }
    assertThat(program.run("stop").exitStatus()).isZero();
  }

  private static List<List<String>> commands() throws Exception {
    List<List<String>> commands = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "README.md"))) {
      if (line.startsWith("./joshua ")) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line.substring("./joshua ".length()));
        while (word.find()) {
          words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        commands.add(words);
      }
    }
    return commands;
  }
}
