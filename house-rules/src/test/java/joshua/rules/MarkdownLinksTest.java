package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownLinksTest {
  @TempDir Path root;

  @Test
  void theHouse() {
    assertThat(MarkdownLinks.broken(ProjectFiles.ROOT, ProjectFiles.files(".md"))).isEmpty();
  }

  @BeforeEach
  void writeTarget() throws Exception {
    Files.createDirectory(root.resolve("docs"));
    Files.writeString(
        root.resolve("docs/there.md"),
        """
        # What it *is*
        ## `joshua up`, and more
        ## Twice
        ## Twice
        <a id="by-hand"></a>
        ```
        # not a heading
        ```
        """);
  }

  private List<String> broken(String text) throws Exception {
    return MarkdownLinks.broken(root, List.of(Files.writeString(root.resolve("A.md"), text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[a](docs/there.md)",
        "[a](docs)",
        "[a](docs/there.md#what-it-is)",
        "[a](docs/there.md#joshua-up-and-more)",
        "[a](docs/there.md#twice-1)",
        "[a](docs/there.md#by-hand)",
        "# Here\n[a](#here)",
        "[a](https://example.org/x#y)",
        "`[a](nowhere.md)`",
        "```\n[a](nowhere.md)\n```"
      })
  void leadSomewhere(String text) throws Exception {
    assertThat(broken(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[a](nowhere.md)",
        "![a](nowhere.png)",
        "[a](docs/there.md#twice-2)",
        "[a](docs/there.md#not-a-heading)",
        "[a](#here)",
        "[a](../outside.md)",
        "[a](/docs/there.md)",
        "text [one](docs/there.md) and [two](nowhere.md)",
        "[a]: nowhere.md"
      })
  void leadNowhere(String text) throws Exception {
    assertThat(broken(text)).singleElement().asString().startsWith(root.resolve("A.md") + ":1");
  }
}
