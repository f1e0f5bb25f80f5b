package joshua.network.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RendezvousHashTest {
  private static final List<String> THREE = List.of("one:8000", "two:8000", "three:8000");
  private static final List<String> CLIENTS =
      IntStream.range(0, 10_000).mapToObj(number -> "client-" + number).toList();

  private static String home(String client, List<String> instances) {
    return RendezvousHash.ranked(client, instances, Function.identity()).getFirst();
  }

  /** As computed with sha256sum in the documentation. */
  @Test
  void theHomeIsTheOneWithTheGreatestDigest() {
    // printf 'ann\none:8000' | sha256sum, and so on
    assertThat(RendezvousHash.ranked("ann", THREE, Function.identity()))
        .containsExactly("two:8000", "three:8000", "one:8000");
    assertThat(RendezvousHash.ranked("bob", THREE, Function.identity()))
        .containsExactly("one:8000", "three:8000", "two:8000");
  }

  @Test
  void theOrderInWhichInstancesAreNamedDoesNotMatter() {
    for (String client : CLIENTS) {
      assertThat(home(client, THREE.reversed())).isEqualTo(home(client, THREE));
    }
  }

  @Test
  void eachInstanceIsTheHomeOfItsShare() {
    Map<String, Long> shares =
        CLIENTS.stream()
            .collect(Collectors.groupingBy(client -> home(client, THREE), Collectors.counting()));
    assertThat(shares).hasSize(3);
    // 47 is one standard deviation.
    assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(3_000L, 3_666L));
  }

  @Test
  void oneMoreInstanceMovesItsOwnShareAndNobodyElse() {
    List<String> four = List.of("one:8000", "two:8000", "three:8000", "four:8000");
    List<String> moved =
        CLIENTS.stream().filter(client -> !home(client, four).equals(home(client, THREE))).toList();
    assertThat(moved).hasSizeBetween(2_300, 2_700);
    assertThat(moved).allSatisfy(client -> assertThat(home(client, four)).isEqualTo("four:8000"));
  }
}
