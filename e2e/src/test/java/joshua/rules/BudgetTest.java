package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.app.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The size of the program: what outgrows its budget should first lose a feature. */
class BudgetTest {
  /** Lines of main Java in each module, comments and blank lines included. */
  private static final List<Map.Entry<String, Integer>> OWN =
      List.of(
          Map.entry("libs/kernel", 800),
          Map.entry("libs/conversation", 3_165),
          Map.entry("libs/network", 5_728),
          Map.entry("libs/state", 1_830),
          Map.entry("libs/tasks", 3_090),
          Map.entry("libs/thought", 2_580),
          Map.entry("libs/ssh", 2_017),
          Map.entry("libs/service", 730),
          Map.entry("libs/testing", 1_175),
          Map.entry("mads/grace", 4_527),
          Map.entry("mads/fiedler", 405),
          Map.entry("mads/dewey", 4_498),
          Map.entry("mads/horace", 5_010),
          Map.entry("mads/rogers", 3_686),
          Map.entry("app", 6_260),
          Map.entry("bench", 2_020));

  /** With those of services that have none of their own. */
  static final List<Map.Entry<String, Integer>> BUDGETS =
      Stream.concat(
              OWN.stream(),
              Services.ALL.stream()
                  .map(service -> Map.entry("mads/" + service.name(), 1_000))
                  .filter(module ->
                      OWN.stream().noneMatch(own -> own.getKey().equals(module.getKey()))))
          .toList();

  @ParameterizedTest
  @FieldSource("BUDGETS")
  void aModuleKeepsToItsBudget(Map.Entry<String, Integer> budget) {
    assertThat(
            total(SourceTree.files(file -> file.startsWith(budget.getKey() + "/src/main/java/"))))
        .isLessThanOrEqualTo(budget.getValue());
  }

  @Test
  void everyModuleHasABudget() {
    List<String> budgeted = BUDGETS.stream().map(budget -> budget.getKey() + "/").toList();
    assertThat(
            SourceTree.files(
                file -> file.contains("/src/main/java/") && !file.startsWith("examples/")))
        .isNotEmpty()
        .allMatch(file -> budgeted.stream().anyMatch(file::startsWith));
  }

  @Test
  void allTestsTogetherKeepToTheirs() {
    assertThat(total(SourceTree.files(file -> file.contains("/src/test/java/"))))
        .isLessThanOrEqualTo(24_000);
  }

  @Test
  void aFileCanBeReadAtOneSitting() {
    assertThat(SourceTree.files(file -> file.endsWith(".java")))
        .allSatisfy(file -> assertThat(SourceTree.lines(file)).isLessThanOrEqualTo(400));
    assertThat(SourceTree.lines("joshua")).isLessThanOrEqualTo(100);
  }

  /** Without generated pages, what models are told, examples, and what others wrote. */
  @Test
  void theDocumentationIsShort() {
    List<String> pages =
        SourceTree.files(file ->
            file.endsWith(".md")
                && !file.startsWith("examples/")
                && !file.contains("/vendor/")
                && !file.endsWith("IMPERATOR.md")
                && !SourceTree.read(file).startsWith(GeneratedPagesTest.HEAD));
    assertThat(pages).hasSizeLessThanOrEqualTo(20);
    assertThat(pages.stream().mapToInt(page -> SourceTree.read(page).split("\\s+").length).sum())
        .isLessThanOrEqualTo(24_000);
  }

  private static long total(List<String> files) {
    return files.stream().mapToLong(SourceTree::lines).sum();
  }
}
