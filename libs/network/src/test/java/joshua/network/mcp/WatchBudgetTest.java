package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class WatchBudgetTest {
  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "test");

  private final WatchBudget budget = new WatchBudget();

  private static Caller caller(String identity) {
    return new Caller(Optional.of(identity), Role.VIEWER, "test");
  }

  private List<ResourceSubscription> take(Caller caller, int most) {
    List<ResourceSubscription> taken = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      budget.take(caller).ifPresent(taken::add);
    }
    return taken;
  }

  @Test
  @TriesLimit("mcp.watches-of-a-token")
  void aTokenHasItsPartAndOthersHaveTheirs() {
    List<ResourceSubscription> anns = take(caller("ann"), WatchBudget.MAX_OF_A_TOKEN + 1);
    assertThat(anns).hasSize(WatchBudget.MAX_OF_A_TOKEN);
    assertThat(budget.take(caller("bob"))).isPresent();
    anns.getFirst().close();
    anns.getFirst().close();
    assertThat(take(caller("ann"), 2)).hasSize(1);
  }

  @Test
  @TriesLimit("mcp.watches")
  void allTogetherHaveABound() {
    List<ResourceSubscription> all = take(ANYBODY, WatchBudget.MAX_WATCHES + 1);
    assertThat(all).hasSize(WatchBudget.MAX_WATCHES);
    assertThat(budget.take(caller("ann"))).isEmpty();
    all.getFirst().close();
    assertThat(budget.take(caller("ann"))).isPresent();
  }
}
