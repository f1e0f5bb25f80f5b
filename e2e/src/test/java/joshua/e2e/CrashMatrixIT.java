package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Twenty kills at the points between a request and its notification (Works 5–7, 9). More of them:
 * {@code e2e/crash-matrix/run}.
 */
final class CrashMatrixIT {
  private static final int KILLS = 20;

  @Test
  void whateverWasAcceptedEndsAndIsToldOfOnceAndNothingHeardIsUntrue() throws Exception {
    long seed =
        Optional.ofNullable(System.getProperty("joshua.crash.seed"))
            .map(Long::parseLong)
            .orElseGet(() -> new Random().nextLong(1_000_000));
    try (TestEnvironment environment = new TestEnvironment()) {
      System.out.println("crash matrix, seed " + seed);
      CrashReport report = new CrashMatrix(environment, seed).run(KILLS);
      System.out.println(report);
      assertThat(report.faults()).as("seed %d", seed).isEmpty();
      assertThat(report.hits()).as("seed %d", seed).hasSizeGreaterThanOrEqualTo(10);
    }
  }
}
