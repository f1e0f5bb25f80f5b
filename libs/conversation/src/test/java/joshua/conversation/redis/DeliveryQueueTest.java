package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import joshua.conversation.ChannelPattern;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class DeliveryQueueTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int LIMIT = 1 << 20;

  private final DeliveryQueue deliveryQueue = new DeliveryQueue(() -> NOW, LIMIT);

  private static DeliveryQueue.Event copy(byte[] body) {
    return new DeliveryQueue.Event.Copy(1, ChannelPattern.ALL, "mad.topic.x", body);
  }

  @Test
  @TriesLimit("bus.received-bytes")
  void copiesBeyondTheLimitAreCountedAndEverythingElseHasAPlace() throws Exception {
    byte[] body = new byte[1];
    int fit = LIMIT / (DeliveryQueue.BYTES_OF_A_COPY + "mad.topic.x".length() + body.length);
    for (int i = 0; i < fit; i++) {
      deliveryQueue.add(copy(body));
    }
    assertThat(deliveryQueue.take()).hasSize(fit);

    for (int i = 0; i < fit + 3; i++) {
      deliveryQueue.add(copy(body));
    }
    deliveryQueue.add(new DeliveryQueue.Event.Lost(NOW));
    Deque<DeliveryQueue.Event> taken = deliveryQueue.take();
    assertThat(taken).hasSize(fit + 2);
    assertThat(taken)
        .endsWith(new DeliveryQueue.Event.Overflow(3, NOW), new DeliveryQueue.Event.Lost(NOW));

    deliveryQueue.add(copy(body));
    assertThat(deliveryQueue.take()).singleElement().isInstanceOf(DeliveryQueue.Event.Copy.class);
  }

  @Test
  void bytesHaveALimitTooButOneCopyAlwaysHasAPlace() throws Exception {
    byte[] half = new byte[LIMIT / 2];
    deliveryQueue.add(copy(half));
    deliveryQueue.add(copy(half));
    // Two halves and two names are more than the whole.
    assertThat(deliveryQueue.take()).hasSize(2).endsWith(new DeliveryQueue.Event.Overflow(1, NOW));

    deliveryQueue.add(copy(new byte[LIMIT]));
    assertThat(deliveryQueue.take()).hasSize(1);
  }

  @Test
  void whatIsMissingIsSaidBeforeASmallerCopyThatStillHasAPlace() throws Exception {
    deliveryQueue.add(copy(new byte[LIMIT - 1_000]));
    deliveryQueue.add(copy(new byte[10_000]));
    deliveryQueue.add(copy(new byte[1]));

    assertThat(deliveryQueue.take()).element(1).isEqualTo(new DeliveryQueue.Event.Overflow(1, NOW));
  }

  @Test
  void whatComesBeforeAllSubscriptionsAreBackWaitsBehindTheirRestoration() throws Exception {
    deliveryQueue.add(new DeliveryQueue.Event.Lost(NOW));
    deliveryQueue.add(new DeliveryQueue.Event.Connected(1));
    deliveryQueue.add(copy(new byte[1]));
    deliveryQueue.add(new DeliveryQueue.Event.Restored(1));
    deliveryQueue.add(copy(new byte[2]));

    assertThat(deliveryQueue.take())
        .extracting(Object::getClass)
        .containsExactly(
            DeliveryQueue.Event.Lost.class,
            DeliveryQueue.Event.Connected.class,
            DeliveryQueue.Event.Restored.class,
            DeliveryQueue.Event.Copy.class,
            DeliveryQueue.Event.Copy.class);
  }

  @Test
  void whatIsHeldForASecondComesBehindTheWordThatMoreIsMissed() throws Exception {
    deliveryQueue.add(new DeliveryQueue.Event.Connected(1));
    deliveryQueue.add(copy(new byte[1]));
    assertThat(deliveryQueue.take()).containsExactly(new DeliveryQueue.Event.Connected(1));

    long start = System.nanoTime();
    assertThat(deliveryQueue.take())
        .hasSize(2)
        .startsWith(new DeliveryQueue.Event.PartlyRestored(1));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));

    deliveryQueue.add(copy(new byte[1]));
    deliveryQueue.add(new DeliveryQueue.Event.Lost(NOW));
    assertThat(deliveryQueue.take())
        .hasSize(3)
        .startsWith(new DeliveryQueue.Event.PartlyRestored(1))
        .endsWith(new DeliveryQueue.Event.Lost(NOW));
  }
}
