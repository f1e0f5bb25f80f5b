package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class CorrespondenceTest {
  @Test
  @TriesLimit("bus.requests")
  void tenThousandMayWaitAndOneMoreOnlyWhenOneHasEnded() {
    Correspondence correspondence = new Correspondence("me");
    UUID first = UUID.randomUUID();
    assertThat(correspondence.expect(first, new CompletableFuture<>())).isTrue();
    for (int i = 1; i < Correspondence.LIMIT; i++) {
      assertThat(correspondence.expect(UUID.randomUUID(), new CompletableFuture<>())).isTrue();
    }
    assertThat(correspondence.expect(UUID.randomUUID(), new CompletableFuture<>())).isFalse();
    correspondence.forget(UUID.randomUUID());
    assertThat(correspondence.expect(UUID.randomUUID(), new CompletableFuture<>())).isFalse();
    correspondence.forget(first);
    correspondence.forget(first);
    assertThat(correspondence.expect(UUID.randomUUID(), new CompletableFuture<>())).isTrue();
    assertThat(correspondence.expect(UUID.randomUUID(), new CompletableFuture<>())).isFalse();
  }
}
