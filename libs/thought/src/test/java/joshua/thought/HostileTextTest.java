package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import joshua.thought.reading.Dtr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;

/**
 * Hostile texts, four times as long as a prompt may be: reading them takes milliseconds, and would
 * take minutes in quadratic time.
 */
class HostileTextTest {
  private static final int LENGTH = 4 * 65_536;
  private static final Duration AMPLE = Duration.ofSeconds(20);

  private static <T> T soon(ThrowingSupplier<T> reading) {
    return assertTimeoutPreemptively(AMPLE, reading);
  }

  @Test
  void questionMarksThatEndNothing() {
    Dtr dtr = new Dtr(List.of(), List.of());
    String marks = "?".repeat(LENGTH);
    assertThat(soon(() -> dtr.read(ThoughtFixture.prompt(marks + "a"))))
        .isInstanceOf(PromptReading.PassedOn.class);
    assertThat(soon(() -> dtr.read(ThoughtFixture.prompt("help" + marks))))
        .isInstanceOf(PromptReading.Said.class);
    assertThat(soon(() -> dtr.read(ThoughtFixture.prompt("? ".repeat(LENGTH / 2) + "a"))))
        .isInstanceOf(PromptReading.PassedOn.class);
  }

  @Test
  void markersThatDoNotCome() {
    String blanks = "<" + " ".repeat(LENGTH) + "date";
    assertThat(soon(() -> DataBlock.text("file", "a", blanks))).contains(blanks);
    assertThat(soon(() -> DataBlock.text("file", "a", blanks.replace("date", "/ data"))))
        .doesNotContain("< ");
  }

  @Test
  void stepsThatHoldNothingButBlanks() {
    String blanks = " ".repeat(LENGTH);
    assertThat(soon(() -> StatedPlan.in("1. a" + blanks + "b").steps()))
        .containsExactly("a" + blanks + "b");
    assertThat(soon(() -> StatedPlan.in("1." + blanks + "\n2. b" + blanks).steps()))
        .containsExactly("b");
    assertThat(soon(() -> StatedPlan.in(blanks + "step" + blanks + "x").steps())).isEmpty();
    assertThat(soon(() -> StatedPlan.isAskedForBy(blanks + "please" + blanks))).isFalse();
  }
}
