package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.testing.Needs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/tutorial.md: its commands in one shell, and what it says they print. */
final class TutorialIT {
  private static final Path PAGE = Built.HOME.resolve("docs/tutorial.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(output)?\\n(.*?)^```$");

  private final Stage stage = new Stage();

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void theCommandsPrintWhatThePageSays() throws IOException {
    Needs.program("curl", "apt-get install curl");
    Needs.program("jq", "apt-get install jq");
    Group group = stage.up();
    List<String> status = Built.command(stage.scratch(), List.of("status"));
    String joshua =
        status.subList(0, status.size() - 1).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    StringBuilder script = new StringBuilder("set -eu\n");
    StringBuilder expected = new StringBuilder();
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    while (blocks.find()) {
      (blocks.group(1) == null ? script : expected).append(blocks.group(2));
    }
    Path file =
        stage.file(
            "tutorial.sh",
            script
                .toString()
                .replace("http://127.0.0.1:8000/", "http://127.0.0.1:" + group.gracePort() + "/")
                .replace("./joshua status", joshua + " status"));
    ProcessBuilder builder =
        new ProcessBuilder("sh", file.toString()).directory(stage.path().toFile());
    stage.setUp(builder.environment());

    Run run = stage.program(builder);

    assertThat(run.exitStatus()).as(run.toString()).isZero();
    assertThat(expected.toString()).isNotEmpty();
    assertThat(run.out()).startsWith(expected).containsPattern("ann +HEALTHY").contains("bob ");
  }
}
