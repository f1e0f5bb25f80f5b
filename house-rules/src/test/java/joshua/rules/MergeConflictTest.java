package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No file holds the markers of a merge that was not finished. */
class MergeConflictTest {
  private static final Set<String> ENDINGS =
      Set.of("md", "java", "xml", "yml", "yaml", "json", "properties", "sh", "txt", "sql");
  private static final List<String> MARKERS = List.of("<".repeat(7) + " ", ">".repeat(7) + " ");

  @TempDir Path directory;

  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  private static List<String> markers(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : ProjectFiles.files(root, MergeConflictTest::isText)) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (MARKERS.stream().anyMatch(lines.get(i)::startsWith)) {
          found.add(root.relativize(file) + ":" + (i + 1));
        }
      }
    }
    return found;
  }

  @Test
  void everyMergeIsFinished() throws Exception {
    assertThat(markers(ProjectFiles.ROOT)).isEmpty();
  }

  @Test
  void anUnfinishedMergeIsFound() throws Exception {
    Files.writeString(directory.resolve("page.md"), "one\n" + MARKERS.getFirst() + "HEAD\ntwo\n");
    assertThat(markers(directory)).containsExactly("page.md:2");
  }
}
