package joshua.conversation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import joshua.conversation.envelope.Envelope;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class HandlerQueueTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final InstantSource TIME = InstantSource.fixed(NOW);

  private final BlockingQueue<Object> handled = new LinkedBlockingQueue<>();
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final CountDownLatch first = new CountDownLatch(1);

  @AutoClose
  private final HandlerQueue queue =
      new HandlerQueue(
          "test",
          new MessageHandler() {
            @Override
            public void onMessage(Envelope envelope) throws Exception {
              int number = envelope.payload().path("n").asInt();
              if (number == 0) {
                first.countDown();
                mayGoOn.await();
              } else if (number == -1) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("on purpose");
              }
              assertThat(MDC.get("correlation_id")).isEqualTo(envelope.correlationId().toString());
              handled.add(number);
            }

            @Override
            public void onGap(Gap gap) {
              assertThat(MDC.get("correlation_id")).isNull();
              handled.add(gap);
            }
          },
          TIME,
          null);

  private void arrives(int number) {
    arrives(RawEnvelope.on("mad.topic.x").payload("{\"n\":%d}".formatted(number)).json());
  }

  private void arrives(String text) {
    queue.onMessage("mad.topic.x", text.getBytes(UTF_8));
  }

  private List<Object> next(int count) throws InterruptedException {
    List<Object> next = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      next.add(handled.take());
    }
    return next;
  }

  /** The handler is in the middle of message 0 until {@code mayGoOn}. */
  private void hold() throws InterruptedException {
    queue.start();
    arrives(0);
    first.await();
  }

  @Test
  void gapsComeWhereTheyWereAmongTheMessages() throws Exception {
    Gap gap = Gap.reconnect(NOW.minusSeconds(5));
    hold();
    arrives(1);
    queue.onGap(gap);
    arrives(2);
    mayGoOn.countDown();
    assertThat(next(4)).containsExactly(0, 1, gap, 2);
  }

  @Test
  void beyondTheLimitTheOldestAreDroppedAndTheHandlerIsToldHowMany() throws Exception {
    hold();
    for (int n = 1; n <= HandlerQueue.MAX_MESSAGES + 3; n++) {
      arrives(n);
    }
    mayGoOn.countDown();
    Gap dropped = new Gap(OptionalLong.of(3), Gap.Reason.OVERFLOW, NOW);
    assertThat(next(4)).containsExactly(0, dropped, 4, 5);
  }

  @Test
  void bytesHaveALimitToo() throws Exception {
    String large =
        RawEnvelope.on("mad.topic.x")
            .payload("{\"n\":1,\"t\":\"" + "x".repeat(HandlerQueue.MAX_BYTES / 20) + "\"}")
            .json();
    hold();
    for (int i = 0; i < 30; i++) {
      arrives(large);
    }
    mayGoOn.countDown();
    // The text and its envelope: 19 of them fit.
    assertThat(next(2)).contains(new Gap(OptionalLong.of(11), Gap.Reason.OVERFLOW, NOW));
  }

  @Test
  void aGapThatIsDroppedMakesTheNumberUnknown() throws Exception {
    hold();
    queue.onGap(Gap.reconnect(NOW));
    for (int n = 1; n <= HandlerQueue.MAX_MESSAGES + 1; n++) {
      arrives(n);
    }
    mayGoOn.countDown();
    assertThat(next(2)).containsExactly(0, new Gap(OptionalLong.empty(), Gap.Reason.OVERFLOW, NOW));
  }

  @Test
  void neitherAFailureNorAnInterruptNorGarbageKeepsTheNextMessage() throws Exception {
    queue.start();
    arrives(-1);
    arrives("garbage");
    arrives(1);
    assertThat(next(1)).containsExactly(1);
  }
}
