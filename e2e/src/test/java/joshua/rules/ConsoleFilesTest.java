package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The files of the console: what others wrote is as it came, and ours runs nothing that it shows.
 */
class ConsoleFilesTest {
  private static final String DIRECTORY = "mads/rogers/src/main/resources/console/";
  private static final Pattern DANGEROUS =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacent|document\\.write|\\beval\\b|new Function|style="
              + "|foreignObject|xlink|javascript:|\\bon[a-z]+=");

  private static List<String> files(boolean vendored) {
    return SourceTree.files(file ->
        file.startsWith(DIRECTORY) && file.startsWith("vendor/", DIRECTORY.length()) == vendored);
  }

  @Test
  void whatOthersWroteHasItsDigest() throws Exception {
    String list = SourceTree.read(DIRECTORY + "vendor/VENDOR.md");
    List<String> scripts = files(true).stream().filter(file -> file.endsWith(".js")).toList();
    assertThat(scripts).hasSize(5);
    for (String script : scripts) {
      byte[] content = Files.readAllBytes(SourceTree.ROOT.resolve(script));
      String digest =
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
      assertThat(list).as(script).contains(digest);
    }
  }

  @Test
  void oursMakesNoMarkupOfTexts() {
    assertThat(files(false))
        .isNotEmpty()
        .noneMatch(file -> DANGEROUS.matcher(SourceTree.read(file)).find());
  }

  /** The page is there within a second also on a slow line. */
  @Test
  void allOfItIsSmall() {
    assertThat(
            SourceTree.files(file -> file.startsWith(DIRECTORY)).stream()
                .filter(file -> Pattern.matches(".*\\.(js|css|html|svg)", file))
                .mapToLong(file -> SourceTree.ROOT.resolve(file).toFile().length())
                .sum())
        .isLessThan(200_000);
    assertThat(files(false).stream().mapToLong(SourceTree::lines).sum()).isLessThanOrEqualTo(2_750);
  }
}
