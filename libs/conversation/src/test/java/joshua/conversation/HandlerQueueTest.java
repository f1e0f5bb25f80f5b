package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.TreeCost;
import joshua.kernel.TreeTurns;
import joshua.testing.RawEnvelope;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class HandlerQueueTest {
  private static final InstantSource TIME = InstantSource.system();
  private final List<HandlerQueue> open = new ArrayList<>();

  private HandlerQueue mailbox(MessageHandler handler) {
    HandlerQueue handlerQueue = new HandlerQueue("test", handler, TIME);
    open.add(handlerQueue);
    handlerQueue.start();
    return handlerQueue;
  }

  @AfterEach
  void close() {
    open.forEach(HandlerQueue::close);
  }

  private static ReceivedMessage delivery(int n) throws Exception {
    RawEnvelope written = RawEnvelope.on("mad.topic.x").payload("{\"n\":" + n + "}");
    byte[] body = written.json().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return new ReceivedMessage(EnvelopeCodec.decode("mad.topic.x", body), body);
  }

  @Test
  void handsOverInOrder() throws Exception {
    RecordingHandler recordingHandler = new RecordingHandler();
    HandlerQueue handlerQueue = mailbox(recordingHandler);
    for (int n = 0; n < 100; n++) {
      handlerQueue.deliver(delivery(n));
    }
    recordingHandler.awaitMessages(100);
    assertThat(recordingHandler.numbers()).isSorted().hasSize(100);
    assertThat(recordingHandler.gaps()).isEmpty();
  }

  /** A handler that blocks at its first message until it is released. */
  private static final class Held implements MessageHandler {
    final CountDownLatch standing = new CountDownLatch(1);
    final CountDownLatch letGo = new CountDownLatch(1);
    final List<Object> seen = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void onMessage(Envelope envelope) throws Exception {
      standing.countDown();
      letGo.await();
      seen.add(envelope.payload().get("n").asInt());
    }

    @Override
    public void onGap(Gap gap) {
      seen.add(gap);
    }
  }

  @Test
  void beyondTheLimitTheOldestGoAndTheHandlerIsToldHowMany() throws Exception {
    Held held = new Held();
    HandlerQueue handlerQueue = mailbox(held);
    handlerQueue.deliver(delivery(0));
    held.standing.await();
    Instant before = TIME.instant();
    for (int n = 1; n <= HandlerQueue.LIMIT; n++) {
      handlerQueue.deliver(delivery(n));
    }
    // Exactly the limit may wait; seven more push the seven oldest out.
    for (int n = HandlerQueue.LIMIT + 1; n <= HandlerQueue.LIMIT + 7; n++) {
      handlerQueue.deliver(delivery(n));
    }
    held.letGo.countDown();
    await().until(() -> held.seen.size() == HandlerQueue.LIMIT + 2);
    assertThat(held.seen.getFirst()).isEqualTo(0);
    assertThat(held.seen.get(1))
        .isInstanceOfSatisfying(
            Gap.class,
            gap -> {
              assertThat(gap.missed()).isEqualTo(OptionalLong.of(7));
              assertThat(gap.reason()).isEqualTo(Gap.Reason.OVERFLOW);
              assertThat(gap.since()).isBetween(before, TIME.instant());
            });
    assertThat(held.seen.get(2)).isEqualTo(8);
    assertThat(held.seen.getLast()).isEqualTo(HandlerQueue.LIMIT + 7);
  }

  @Test
  void atTheLimitNothingIsLost() throws Exception {
    Held held = new Held();
    HandlerQueue handlerQueue = mailbox(held);
    handlerQueue.deliver(delivery(0));
    held.standing.await();
    for (int n = 1; n <= HandlerQueue.LIMIT; n++) {
      handlerQueue.deliver(delivery(n));
    }
    held.letGo.countDown();
    await().until(() -> held.seen.size() == HandlerQueue.LIMIT + 1);
    assertThat(held.seen).doesNotHaveAnyElementsOfTypes(Gap.class);
  }

  @Test
  void bytesAreBoundedToo() throws Exception {
    Held held = new Held();
    HandlerQueue handlerQueue = mailbox(held);
    handlerQueue.deliver(delivery(0));
    held.standing.await();
    for (int n = 1; n <= 6; n++) {
      ReceivedMessage small = delivery(n);
      // Space after the value is ignored, but its bytes count.
      byte[] quarter = Arrays.copyOf(small.body(), (int) (HandlerQueue.BYTE_LIMIT / 4));
      Arrays.fill(quarter, small.body().length, quarter.length, (byte) ' ');
      handlerQueue.deliver(new ReceivedMessage(small.envelope(), quarter));
    }
    held.letGo.countDown();
    await().until(() -> held.seen.size() == 6);
    assertThat(held.seen.get(1))
        .isInstanceOfSatisfying(
            Gap.class, gap -> assertThat(gap.missed()).isEqualTo(OptionalLong.of(2)));
    assertThat(held.seen.subList(2, 6)).containsExactly(3, 4, 5, 6);
  }

  @Test
  void aHandlerThatThrowsGetsTheNextMessageAllTheSame() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    HandlerQueue handlerQueue =
        mailbox(envelope -> {
          switch (calls.incrementAndGet()) {
            case 1 -> throw new Exception("checked");
            case 2 -> throw new IllegalStateException("unchecked");
            case 3 -> throw new AssertionError("an error");
            case 4 -> throw new InterruptedException("of its own making");
            case 5 -> Thread.currentThread().interrupt();
            default -> {}
          }
        });
    for (int n = 0; n < 7; n++) {
      handlerQueue.deliver(delivery(n));
    }
    await().until(() -> calls.get() == 7);
  }

  @Test
  void aGapHandlerThatThrowsHarmsNothing() throws Exception {
    RecordingHandler recordingHandler = new RecordingHandler();
    HandlerQueue handlerQueue =
        mailbox(
            new MessageHandler() {
              @Override
              public void onMessage(Envelope envelope) {
                recordingHandler.onMessage(envelope);
              }

              @Override
              public void onGap(Gap gap) {
                throw new IllegalStateException("on purpose");
              }
            });
    handlerQueue.missed(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, TIME.instant()));
    handlerQueue.deliver(delivery(1));
    recordingHandler.awaitMessages(1);
  }

  @Test
  void closingInterruptsAHandlerAtWorkAndEndsTheThread() throws Exception {
    CountDownLatch standing = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    HandlerQueue handlerQueue =
        mailbox(envelope -> {
          calls.incrementAndGet();
          standing.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
        });
    handlerQueue.deliver(delivery(0));
    handlerQueue.deliver(delivery(1));
    standing.await();
    handlerQueue.close();
    handlerQueue.deliver(delivery(2));
    await().untilTrue(interrupted);
    await().until(handlerQueue::hasEnded);
    assertThat(calls).hasValue(1);
  }

  @Test
  void theCorrelationIdIsInEveryLineThatTheHandlerLogs() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    HandlerQueue handlerQueue = mailbox(envelope -> seen.add(MDC.get("correlation_id")));
    ReceivedMessage first = delivery(1);
    ReceivedMessage second = delivery(2);
    handlerQueue.deliver(first);
    handlerQueue.deliver(second);
    await().until(() -> seen.size() == 2);
    assertThat(seen)
        .containsExactly(
            first.envelope().correlationId().toString(),
            second.envelope().correlationId().toString());
  }

  @Test
  void gapsThatPileUpAreToldAsOneSinceTheFirst() throws Exception {
    Held held = new Held();
    HandlerQueue handlerQueue = mailbox(held);
    handlerQueue.deliver(delivery(0));
    held.standing.await();
    Instant first = Instant.parse("2026-01-01T00:00:00Z");
    handlerQueue.missed(new Gap(OptionalLong.of(3), Gap.Reason.OVERFLOW, first));
    handlerQueue.missed(new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, first.plusSeconds(5)));
    handlerQueue.deliver(delivery(1));
    held.letGo.countDown();
    await().until(() -> held.seen.size() == 3);
    assertThat(held.seen)
        .containsExactly(0, new Gap(OptionalLong.empty(), Gap.Reason.RECONNECT, first), 1);
  }

  @Test
  void messagesWaitAsBytesAndNotAsTrees() throws Exception {
    Held held = new Held();
    HandlerQueue handlerQueue = mailbox(held);
    handlerQueue.deliver(delivery(0));
    held.standing.await();
    WeakReference<Envelope> tree = new WeakReference<>(delivered(handlerQueue, 1));
    await()
        .until(() -> {
          System.gc();
          return tree.get() == null;
        });
    held.letGo.countDown();
    await().until(() -> held.seen.size() == 2);
    assertThat(held.seen).containsExactly(0, 1);
  }

  private static Envelope delivered(HandlerQueue handlerQueue, int n) throws Exception {
    ReceivedMessage receivedMessage = delivery(n);
    handlerQueue.deliver(receivedMessage);
    return receivedMessage.envelope();
  }

  @Test
  @TriesLimit("bus.trees")
  void oneTreeTooManyWaitsForTheHandlerOfAnother() throws Exception {
    Held held = new Held();
    Held next = new Held();
    String list = "[" + "0,".repeat(450_000) + "0]";
    RawEnvelope written = RawEnvelope.on("mad.topic.x").payload("{\"n\":1,\"list\":" + list + "}");
    byte[] body = written.json().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThat(TreeCost.of(body)).isBetween(TreeTurns.ALL / 4 + 1, TreeTurns.ALL / 2);
    ReceivedMessage large = new ReceivedMessage(EnvelopeCodec.decode("mad.topic.x", body), body);
    HandlerQueue first = mailbox(held);
    HandlerQueue second = mailbox(next);

    first.deliver(large);
    held.standing.await();
    second.deliver(large);
    await().during(Duration.ofMillis(200)).until(() -> next.standing.getCount() == 1);

    held.letGo.countDown();
    next.letGo.countDown();
    await().until(() -> next.seen.size() == 1);
  }
}
