package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class PendingRequestsTest {
  private final PendingRequests requests = new PendingRequests();

  private Optional<PendingRequest> begin() {
    return requests.begin(UUID.randomUUID(), "me", Optional.empty());
  }

  @Test
  @TriesLimit("bus.requests")
  void tenThousandMayWaitAndOneMoreOnlyWhenOneHasEnded() {
    PendingRequest first = begin().orElseThrow();
    for (int i = 1; i < PendingRequests.LIMIT; i++) {
      assertThat(begin()).isPresent();
    }
    assertThat(begin()).isEmpty();
    requests.end(first);
    requests.end(first);
    assertThat(begin()).isPresent();
    assertThat(begin()).isEmpty();
  }
}
