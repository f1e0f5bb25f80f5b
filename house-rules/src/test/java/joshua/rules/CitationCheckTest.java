package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CitationCheckTest {
  private static final Pattern TEXT =
      Pattern.compile(
          ".*(\\.(java|md|xml|yml|yaml|sh|sql|properties|options|json|txt|js|mjs|py|example|config)"
              + "|/joshua|/run|/pin|/update|/Dockerfile)");

  /** Written in pieces, so that this file doesn't cite what doesn't exist. */
  private static final String PARAGRAPH = "\u00a7";

  @TempDir Path root;

  @Test
  void theHouse() {
    List<Path> files =
        ProjectFiles.files(
            ProjectFiles.ROOT,
            path -> TEXT.matcher(path.toString()).matches() && Files.isRegularFile(path));
    CitationCheck citations = CitationCheck.of(ProjectFiles.ROOT);
    assertThat(citations.requirements()).hasSizeGreaterThan(50);
    assertThat(citations.statements()).hasSizeGreaterThan(10);
    assertThat(citations.sections()).contains("1", "2", "3", "3.3", "4", "5");
    assertThat(files).hasSizeGreaterThan(1_000);
    assertThat(citations.unresolved(files)).isEmpty();
    assertThat(citations.mistakes(testClasses())).isEmpty();
  }

  private static Set<String> testClasses() {
    return ProjectFiles.files(".java").stream()
        .filter(file -> file.toString().contains("/src/test/"))
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toSet());
  }

  @BeforeEach
  void writePages() throws Exception {
    Files.createDirectories(root.resolve("docs/protocol"));
    writeRequirements("| REQ-" + "ZZ-01 | a | [b](protocol/contract.md) | `SizesTest` |");
    Files.writeString(
        root.resolve(CitationCheck.CONTRACT), "# C\n\n## 1. One\n\n### 1.2 Two\n\n## 3. Three\n");
  }

  private void writeRequirements(String more) throws Exception {
    Files.writeString(
        root.resolve(CitationCheck.REQUIREMENTS),
        "# R\n\n%s\n| REQ-%s | a | | |\n| +%s | a | | |\n| +%s | a | | |\n\n## Works\n\n| 1 | a | |\n| 2 | a | |\n"
            .formatted(more, "ZZ-04", "ZZ-05", "ZZ-16"));
  }

  private List<String> of(String text) throws Exception {
    Path file = Files.writeString(root.resolve("A.java"), text);
    return CitationCheck.of(root).unresolved(List.of(file));
  }

  private static String written(String text) {
    return text.replace("R:", "REQ-" + "ZZ-").replace("P:", "+" + "ZZ-").replace("S:", PARAGRAPH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(R:01)",
        "R:01, -04 and more",
        "R:01/04",
        "R:01…04",
        "R:01 to -04",
        "R:01,\n * -04",
        "P:05, 99 of them",
        "P:05…16",
        "x+1, a-99, AREQ-01",
        "(Works 1, 2)",
        "(\"Works\" 1 to 2)",
        "it works 99 times",
        "wire contract S:1, S:3",
        "the wire\n   * contract S:1.2",
        "[wire contract](docs/protocol/contract.md) S:1, S:3.",
        "RFC 9562 S:6.2"
      })
  void leadSomewhere(String text) throws Exception {
    assertThat(of(written(text))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(R:02)",
        "(P:04)",
        "R:01, -09 and more",
        "R:01/09",
        "R:01…09",
        "R:01 to -09",
        "R:01,\n * -09",
        "P:05/06",
        "(Works 1…3)",
        "(\"Works\" 1 to 3 and 2)",
        "wire contract S:2",
        "wire contract S:1, S:2",
        "the wire\n   * contract S:3.1",
        "[wire contract](docs/protocol/contract.md) S:1, S:2.",
        "the first (S:1)",
        "RFC 9562, S:6.2"
      })
  void leadNowhere(String text) throws Exception {
    assertThat(of("\n" + written(text)))
        .singleElement()
        .asString()
        .startsWith(root.resolve("A.java") + ":2: ");
  }

  @Test
  void theContractCitesItself() throws Exception {
    Path contract = root.resolve(CitationCheck.CONTRACT);
    Files.writeString(contract, "## 1. One\n\nas in " + PARAGRAPH + "1 and " + PARAGRAPH + "2\n");
    assertThat(CitationCheck.of(root).unresolved(List.of(contract)))
        .containsExactly(contract + ":3: " + PARAGRAPH + "2 is no heading here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "| R:01 | a | [b](protocol/nowhere.md) | `SizesTest` |",
        "| R:01 | a | [b](protocol/contract.md) | `SizesTests`, `NoSuchTest` |",
        "| R:04 | a | [b](protocol/contract.md) | `SizesTest` |"
      })
  void theListOfRequirementsHasAMistake(String line) throws Exception {
    assertThat(CitationCheck.of(root).mistakes(Set.of("SizesTest"))).isEmpty();
    writeRequirements(written(line));
    assertThat(CitationCheck.of(root).mistakes(Set.of("SizesTest"))).hasSize(1);
  }
}
