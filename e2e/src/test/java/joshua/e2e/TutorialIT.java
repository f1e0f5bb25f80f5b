package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs the commands of docs/tutorial.md in one shell, and compares their output with the page. */
final class TutorialIT {
  private static final Path PAGE = BuiltProgram.HOME.resolve("docs/tutorial.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(output)?\\n(.*?)^```$");

  private final TestEnvironment testEnvironment = new TestEnvironment();

  @AfterEach
  void close() {
    testEnvironment.close();
  }

  @Test
  void theCommandsPrintWhatThePageSays() throws IOException {
    TestRequirements.program("curl", "apt-get install curl");
    TestRequirements.program("jq", "apt-get install jq");
    GroupUnderTest groupUnderTest = testEnvironment.up();
    List<String> status = BuiltProgram.command(testEnvironment.scratch(), List.of("status"));
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
        testEnvironment.file(
            "tutorial.sh",
            script
                .toString()
                .replace(
                    "http://127.0.0.1:8000/",
                    "http://127.0.0.1:" + groupUnderTest.gracePort() + "/")
                .replace("./joshua status", joshua + " status"));
    ProcessBuilder builder =
        new ProcessBuilder("sh", file.toString()).directory(testEnvironment.path().toFile());
    testEnvironment.setUp(builder.environment());

    ProgramRun programRun = testEnvironment.program(builder);

    assertThat(programRun.exitStatus()).as(programRun.toString()).isZero();
    assertThat(expected.toString()).isNotEmpty();
    assertThat(programRun.out())
        .startsWith(expected)
        .containsPattern("ann +HEALTHY")
        .contains("bob ");
  }
}
