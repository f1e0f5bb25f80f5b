package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.LimitTable;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class LimitCatalogTest {
  private static final Path DOCUMENT = Path.of("../docs/operating/limits.md");
  private static final Pattern TRIED = Pattern.compile("@TriesLimit\\(\\s*\\{?([^)]*)\\)");
  private static final Pattern ID = Pattern.compile("\"([a-z.-]+)\"");

  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)m");

  @TempDir Path home;

  private LimitTable table() throws Settings.InvalidSettingsException {
    Settings defaults =
        SettingsLoader.load(
            new TestSurroundings(Map.of(), home).around, Map.of(), false, List.of());
    return LimitCatalog.ofTheUsualHeap(defaults);
  }

  private String joshua(int status, String... args) {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    assertThat(surroundings.run(args)).as(surroundings.err()).isEqualTo(status);
    return status == 0 ? surroundings.out() : surroundings.err();
  }

  private static Set<String> tried() throws IOException {
    Set<String> ids = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      List<Path> tests =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("/src/test/"))
              .toList();
      for (Path test : tests) {
        Matcher annotation = TRIED.matcher(Files.readString(test));
        while (annotation.find()) {
          Matcher id = ID.matcher(annotation.group(1));
          while (id.find()) {
            ids.add(id.group(1));
          }
        }
      }
    }
    return ids;
  }

  @Test
  void theDocumentationIsWhatItPrints() throws Exception {
    assertThat(Files.readString(DOCUMENT))
        .as("run: ./joshua config --limits --markdown > docs/operating/limits.md")
        .isEqualTo(joshua(0, "config", "--limits", "--markdown"));
  }

  @Test
  void theUsualHeapBearsEveryDefaultAndIsTheOneOfTheLauncher() throws Exception {
    LimitTable table = table();
    assertThat(table.scaled()).isEmpty();
    Matcher heap = HEAP.matcher(Files.readString(Path.of("../configs/jvm.options")));
    assertThat(heap.find()).isTrue();
    assertThat(table.plan().heapBytes()).isEqualTo(Long.parseLong(heap.group(1)) << 20);
  }

  @Test
  @Timeout(60)
  void whatTheHeapDoesNotBearIsRefusedBeforeAnythingStarts() {
    assertThat(joshua(UsageException.EXIT_STATUS, "up", "--grace-queue-bytes", "64GiB"))
        .contains("all limits together may take 64.", "grace-queue-bytes 64 GiB (set to 64GiB)");
    assertThat(joshua(UsageException.EXIT_STATUS, "grace", "--grace-client-limit", "1000000"))
        .contains("grace-client-limit");
    assertThat(home).isEmptyDirectory();
  }

  @Test
  void everyLimitIsShownInThreeForms() throws Exception {
    JsonNode page = Json.parse(joshua(0, "config", "--limits", "-o", "json"));
    assertThat(page.path("limits")).hasSize(table().rows().size());
    assertThat(joshua(0, "config", "--limits"))
        .contains("clients with a queue", "grace-client-limit");
  }

  @Test
  void everyLimitIsTriedAtItsMaximumAndOneMore() throws Exception {
    assertThat(tried())
        .isEqualTo(
            table().rows().stream()
                .map(ResourceLimit::id)
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
