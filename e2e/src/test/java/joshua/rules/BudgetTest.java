package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The size of the program: what outgrows its budget should first lose a feature. */
class BudgetTest {
  /** Lines of main Java in each module, comments and blank lines included. */
  static final List<Map.Entry<String, Integer>> BUDGETS =
      List.of(
          Map.entry("libs/kernel", 765),
          Map.entry("libs/conversation", 2_570),
          Map.entry("libs/network", 4_350),
          Map.entry("libs/state", 1_585),
          Map.entry("libs/tasks", 3_060),
          Map.entry("libs/thought", 2_515),
          Map.entry("libs/ssh", 1_800),
          Map.entry("libs/service", 550),
          Map.entry("libs/testing", 995),
          Map.entry("mads/grace", 3_490),
          Map.entry("mads/fiedler", 475),
          Map.entry("mads/rogers", 3_115),
          Map.entry("app", 3_775),
          Map.entry("bench", 1_655));

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
        .isLessThanOrEqualTo(20_000);
  }

  @Test
  void aFileCanBeReadAtOneSitting() {
    assertThat(SourceTree.files(file -> file.endsWith(".java")))
        .allSatisfy(file -> assertThat(SourceTree.lines(file)).isLessThanOrEqualTo(400));
    assertThat(SourceTree.lines("joshua")).isLessThanOrEqualTo(100);
  }

  @Test
  void theDocumentationIsShort() {
    List<String> pages = SourceTree.files(file -> file.endsWith(".md"));
    assertThat(pages).hasSizeLessThanOrEqualTo(15);
    assertThat(pages.stream().mapToInt(page -> SourceTree.read(page).split("\\s+").length).sum())
        .isLessThanOrEqualTo(18_000);
  }

  private static long total(List<String> files) {
    return files.stream().mapToLong(SourceTree::lines).sum();
  }
}
