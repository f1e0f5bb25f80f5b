package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapPressureTest {
  private static final Duration SPAN = Duration.ofSeconds(30);

  @Test
  void directMemoryNearItsLimitIsAProblem() {
    ByteBuffer held = ByteBuffer.allocateDirect(1 << 20);
    HeapPressure tight = new HeapPressure(held.capacity(), 0);
    HeapPressure wide = new HeapPressure(Long.MAX_VALUE, 0);
    assertThat(tight.problem()).isEmpty();

    assertThat(tight.look(1)).isEmpty();
    assertThat(wide.look(1)).isEmpty();

    assertThat(tight.problem()).contains("the direct memory is nearly used up");
    assertThat(wide.problem()).isEmpty();
    assertThat(held.limit()).isPositive();
  }

  @Test
  void aProcessThatDoesLittleButCollectHasToEnd() {
    assertThat(HeapPressure.full(Duration.ofSeconds(27), SPAN)).isEmpty();
    assertThat(HeapPressure.full(Duration.ofSeconds(28), SPAN))
        .contains("the heap is full: 28 of the last 30 s went into garbage collection");
  }
}
