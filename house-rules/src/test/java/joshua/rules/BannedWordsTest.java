package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BannedWordsTest {
  private static final Pattern TEXT =
      Pattern.compile(".*(\\.(java|md|xml|yml|yaml|sh|sql|properties|js|mjs|py)|/joshua|/run)");

  @TempDir Path directory;

  @Test
  void theHouse() {
    List<Path> files =
        ProjectFiles.files(
            ProjectFiles.ROOT,
            path -> TEXT.matcher(path.toString()).matches() && Files.isRegularFile(path));
    assertThat(files).hasSizeGreaterThan(100);
    assertThat(BannedWords.in(files)).isEmpty();
  }

  private List<String> of(String text) throws Exception {
    return BannedWords.in(List.of(Files.writeString(directory.resolve("A.java"), text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// TO" + "DO later",
        "/* FIX" + "ME */",
        "@Dis" + "abled\n@Test",
        "@Dis" + "abled(\"flaky\")",
        "assu" + "meTrue(docker)",
        "  // Tries an" + "ew after a pause.",
        "/** Waits for ev" + "er. */",
        " * What Rogers knows of his own tables."
      })
  void areNoticed(String text) throws Exception {
    assertThat(of("\n" + text)).singleElement().asString().contains("A.java:2 has ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "todos",
        "@Dis" + "abled(\"needs a kernel newer than 7.0\")",
        "assumes",
        "say(\"he waits\");",
        "// the other"
      })
  void areNotSeenWhereTheyAreNot(String text) throws Exception {
    assertThat(of(text)).isEmpty();
  }
}
