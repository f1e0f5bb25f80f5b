package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FileBudgetTest {
  @Test
  void thereIsOneOnThisSystem() {
    assertThat(FileBudget.ofThisProcess(1).orElseThrow().limit()).isPositive();
  }

  @Test
  void theLimitInForceIsTheFirstNumber() {
    assertThat(
            FileBudget.limit(
                List.of(
                    "Limit                     Soft Limit           Hard Limit           Units",
                    "Max processes             63000                63000                processes",
                    "Max open files            1024                 524288               files")))
        .contains(1024L);
    assertThat(FileBudget.limit(List.of("Max open files  unlimited unlimited files")))
        .contains(Long.MAX_VALUE);
    assertThat(FileBudget.limit(List.of())).isEmpty();
  }

  @Test
  void connectionsScaleWithWhatIsLeft() {
    int most = 24_000;
    long enough = new FileBudget(0, 3).needed(most);
    assertThat(new FileBudget(enough, 3).connections(most)).isEqualTo(most);
    assertThat(new FileBudget(enough, 3).shortage(most)).isEmpty();
    assertThat(new FileBudget(enough - 1, 3).connections(most)).isEqualTo(most - 1);
    assertThat(new FileBudget(enough - 1, 3).shortage(most).orElseThrow())
        .contains("23999", "24000");
    assertThat(new FileBudget(1024, 3).connections(most)).isEqualTo(96);
    assertThat(new FileBudget(100, 3).connections(most)).isZero();
    assertThat(new FileBudget(Long.MAX_VALUE, 3).connections(most)).isEqualTo(most);
  }
}
