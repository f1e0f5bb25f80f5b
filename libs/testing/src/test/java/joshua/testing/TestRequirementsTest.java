package joshua.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRequirementsTest {
  @TempDir Path directory;

  @Test
  void aTestThatHasWhatItNeedsGoesOn() {
    assertThat(TestRequirements.program("sh", "every machine has it")).isExecutable();
    assertThatCode(() -> TestRequirements.thing(true, "needs nothing", "a.Test", directory, true))
        .doesNotThrowAnyException();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void outsideOfCiATestIsLeftOutAndTheReasonRecorded() {
    assertThatThrownBy(
            () -> TestRequirements.thing(false, "needs wings", "a.Test", directory, false))
        .isNotInstanceOf(AssertionError.class)
        .hasMessageContaining("a.Test was left out: it needs wings");
    assertThat(directory.resolve("a.Test.txt")).hasContent("a.Test was left out: it needs wings");
    TestRequirements.thing(true, "needs wings", "a.Test", directory, false);
    assertThat(directory).isEmptyDirectory();
  }

  /** A helper of tests. */
  private record Helper(boolean there) {
    private Helper {
      TestRequirements.thing(there, "needs wings");
    }
  }

  @Test
  void whatAHelperLacksIsToldInTheNameOfTheTest() {
    try {
      assertThatThrownBy(() -> new Helper(false))
          .hasMessageStartingWith(
              "joshua.testing.TestRequirementsTest.whatAHelperLacksIsToldInTheNameOfTheTest ")
          .hasMessageContaining("needs wings");
    } finally {
      // Otherwise it would be reported as left out.
      assertThat(new Helper(true).there()).isTrue();
    }
  }

  @Test
  void inCiItFails() {
    assertThatThrownBy(
            () -> TestRequirements.thing(false, "needs wings", "a.Test", directory, true))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a.Test needs wings, and CI leaves no test out");
    assertThat(directory).isEmptyDirectory();
  }
}
