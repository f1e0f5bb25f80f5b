package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceSizesTest {
  @TempDir Path directory;

  @Test
  void theHouse() {
    assertThat(SourceSizes.tooLong(ProjectFiles.files(".java"))).isEmpty();
  }

  private List<String> of(String source) throws Exception {
    return SourceSizes.tooLong(List.of(Files.writeString(directory.resolve("A.java"), source)));
  }

  private static String file(int lines) {
    return "class A {\n" + "\n".repeat(lines - 2) + "}\n";
  }

  private static String method(int lines) {
    return "class A {\n/** Not counted.\n */\nvoid f() {\n" + "\n".repeat(lines - 2) + "}\n}\n";
  }

  @Test
  void aFileHasAtMost400Lines() throws Exception {
    assertThat(of(file(SourceSizes.LONGEST_FILE))).isEmpty();
    assertThat(of(file(SourceSizes.LONGEST_FILE + 1)))
        .singleElement()
        .asString()
        .contains("401 lines");
  }

  @Test
  void aMethodHasAtMost60Lines() throws Exception {
    assertThat(of(method(SourceSizes.LONGEST_METHOD))).isEmpty();
    assertThat(of(method(SourceSizes.LONGEST_METHOD + 1)))
        .singleElement()
        .asString()
        .startsWith("f in ")
        .endsWith("61 lines");
  }
}
