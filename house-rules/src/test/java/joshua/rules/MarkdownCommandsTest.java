package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownCommandsTest {
  private static List<MarkdownCommands.Command> in(String text) {
    return MarkdownCommands.in(new MarkdownFile(Path.of("A.md"), text.lines().toList()));
  }

  @Test
  void areFoundWithWhatTheyNeedAndPrint() {
    assertThat(
            in(
                """
                ```sh run
                ./joshua version
                ```
                prints
                ```output
                joshua … (Java 25…)
                ```
                ```sh run in background needs docker
                docker compose up
                ```
                ```json
                {}
                ```
                ```sh not run: it would clone this over again
                git clone
                ```
                """))
        .containsExactly(
            new MarkdownCommands.Command(
                1, "./joshua version", false, Optional.empty(), Optional.of("joshua … (Java 25…)")),
            new MarkdownCommands.Command(
                8, "docker compose up", true, Optional.of("docker"), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sh", "bash", "sh ran", "sh not run", "sh not run: no", "shell run"})
  void mustSayWhatBecomesOfThem(String mark) {
    assertThatThrownBy(() -> in("```" + mark + "\nls\n```"))
        .hasMessageContaining("A.md:1 is marked \"" + mark + "\"");
  }

  @Test
  void whatTheyPrintIsComparedWithGapsForWhatChanges() {
    MarkdownCommands.Command command =
        new MarkdownCommands.Command(1, "x", false, Optional.empty(), Optional.of("id … (a)\nend"));
    assertThat(command.fault("id 1.2 (a)\nend\n")).isEmpty();
    assertThat(command.fault("id 1.2 [a]\nend\n")).isPresent();
    assertThat(command.fault("id 1.2 (a)\nend\nmore")).isPresent();
  }
}
