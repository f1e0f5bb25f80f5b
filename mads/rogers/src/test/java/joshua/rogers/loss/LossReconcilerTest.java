package joshua.rogers.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.rogers.ByHand;
import joshua.rogers.LossAccountFixture;
import joshua.rogers.ObserverFixture;
import joshua.rogers.tap.DeadMessage;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares hand-written ledgers with what was published (+RG-17). */
final class LossReconcilerTest {
  private static final String LOSSES =
      "select hop, relay, rule, subject, expected, actual, reason from losses order by loss_id";
  private static final String RECONCILED =
      "select cuts, compared, not_comparable, messages, dropped from reconciled";

  private @TempDir Path directory;
  private RealRedis redis;
  private RawRedis third;
  private LossAccountFixture fixture;
  private ByHand relay;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    third = redis.raw();
    fixture = new LossAccountFixture(redis, directory);
    relay = new ByHand(third, "e1");
  }

  @AfterEach
  void stop() {
    fixture.close();
    third.close();
    redis.close();
  }

  private void awaitLedgers(int number) {
    await()
        .atMost(LossAccountFixture.WITHIN)
        .until(() -> fixture.number("select coalesce(sum(cuts), 0) from reconciled") >= number);
  }

  @Test
  void whatAddsUpIsCountedAndNoLoss() throws Exception {
    relay.received("mad.topic.a", 1, 0).received("mad.topic.*", 1, 0).tell();
    relay.publish("mad.topic.a", 7);
    third.publish("mad.topic.b", "no envelope");
    relay.received("mad.topic.a", 1, 7).received("mad.topic.*", 1, 8).tell();
    relay.publish("mad.topic.c", 2);
    relay.publish("mad.direct.d", 2);
    relay.received("mad.topic.*", 1, 10).tell();

    awaitLedgers(3);

    assertThat(fixture.rows(LOSSES)).isEmpty();
    // Two subscriptions and the pairs, twice; nothing of the first ledger.
    assertThat(fixture.rows(RECONCILED)).containsExactly("3|6|2|17|0");
    assertThat(fixture.reconciler.knownPatterns())
        .containsExactlyInAnyOrder("mad.topic.a", "mad.topic.*");
  }

  @Test
  void aCopyThatWasNotReceivedIsFoundAndItsHopNamed() throws Exception {
    relay.received("mad.topic.a", 1, 0).tell();
    relay.publish("mad.topic.a", 10);
    relay.received("mad.topic.a", 1, 3).tell();

    fixture.awaitRows(LOSSES, 1);

    assertThat(fixture.rows(LOSSES))
        .containsExactly("bus>relay|relay|1|mad.topic.a|10|3|fewer received than were published");
    await().atMost(LossAccountFixture.WITHIN).until(() -> fixture.events.size() == 1);
    assertThat(fixture.events.getFirst().toString())
        .contains("\"hop\":\"bus>relay\"", "\"subject\":\"relay mad.topic.a\"");
    // The same difference is reported once: from here on the counts agree again.
    relay.publish("mad.topic.a", 5);
    relay.received("mad.topic.a", 1, 8).tell();
    awaitLedgers(3);
    assertThat(fixture.rows(LOSSES)).hasSize(1);
  }

  @Test
  void whatVanishedBehindTheRelayIsFoundByTheSecondRule() throws Exception {
    relay.accounts(4, 4, 0, 0).tell();
    relay.accounts(14, 8, 3, 1).loser("ann", "3", "overflow").tell();
    relay.loser("bob", "null", "reconnect").accounts(20, 14, 3, 1).tell();

    awaitLedgers(3);

    assertThat(fixture.rows(LOSSES))
        .containsExactly(
            "relay>clients|relay|2|pairs|10|8|neither delivered nor dropped nor waiting");
    assertThat(fixture.rows("select client_id, missed, reason from losers order by loser_id"))
        .containsExactly("ann|3|overflow", "bob|null|reconnect");
    assertThat(fixture.number("select dropped from reconciled")).isEqualTo(3);
  }

  @Test
  void whatWasNotSubscribedAllTheTimeIsNotComparable() throws Exception {
    relay.received("mad.topic.a", 1, 0).received("mad.topic.b", 1, 0).tell();
    relay.publish("mad.topic.a", 10);
    relay.received("mad.topic.a", 2, 0).received("mad.topic.c", 2, 0).tell();
    awaitLedgers(2);
    assertThat(fixture.rows(LOSSES)).isEmpty();

    // A marker whose ledger never came: the next one is compared with the last ledger that did.
    relay.publish("mad.topic.a", 3);
    relay.mark();
    relay.publish("mad.topic.a", 4);
    relay.received("mad.topic.a", 2, 7).tell();
    // A ledger of another run starts again.
    new ByHand(third, "e2").received("mad.topic.a", 1, 100).tell();

    awaitLedgers(4);
    assertThat(fixture.rows(LOSSES)).isEmpty();
    assertThat(fixture.number("select sum(messages) from reconciled")).isEqualTo(7);
  }

  @Test
  void whatRogersDidNotSeeIsNoDifference() throws Exception {
    relay.received("mad.topic.a", 1, 0).tell();
    awaitLedgers(1);
    third.close();
    redis.kill();
    redis.awaitAnswering();
    third = redis.raw();
    await().atMost(LossAccountFixture.WITHIN).until(() -> third.patterns() == 1);
    ByHand same = new ByHand(third, "e1");
    // As if the relay had stayed subscribed while Rogers was away.
    same.received("mad.topic.a", 1, 50).mark();
    same.ledger();
    awaitLedgers(2);

    assertThat(fixture.rows(LOSSES)).isEmpty();
    assertThat(fixture.rows("select relay, reason from not_compared"))
        .containsExactly("relay|Rogers wasn't watching: the bus was away");
    same.publish("mad.topic.a", 5);
    same.received("mad.topic.a", 1, 54).tell();
    fixture.awaitRows(LOSSES, 1);
    assertThat(fixture.rows(LOSSES).getFirst()).contains("|5|4|fewer received");
  }

  @Test
  void namesBeyondAsciiCountByteByByteAndCutNamesMakeNoDifference() throws Exception {
    relay.received("mad.topic.??", 1, 0).received("mad.*z", 1, 0).tell();
    // Two bytes, as Redis and a relay see it.
    third.publish("mad.topic.\u00e9", "{}");
    relay.received("mad.topic.??", 1, 1).tell();
    awaitLedgers(2);
    assertThat(fixture.number("select sum(messages) from reconciled")).isEqualTo(1);

    third.publish("mad." + "y".repeat(DeadMessage.CHANNEL_LIMIT) + "z", "{}");
    relay.received("mad.*z", 1, 1).tell();
    awaitLedgers(3);
    assertThat(fixture.rows(LOSSES)).isEmpty();
  }

  @Test
  void whatHasComeByTheCloseIsComparedAndWritten() throws Exception {
    CountDownLatch writerIsHeld = new CountDownLatch(1);
    CountDownLatch writerGoesOn = new CountDownLatch(1);
    Thread writer =
        Thread.ofVirtual().start(() -> hold(fixture.database(), writerIsHeld, writerGoesOn));
    writerIsHeld.await();
    relay.received("mad.topic.a", 1, 0).tell();
    relay.publish("mad.topic.a", 10);
    relay.received("mad.topic.a", 1, 3).tell();
    await().atMost(LossAccountFixture.WITHIN).until(() -> fixture.seen() == 14);
    Thread closing = Thread.ofVirtual().start(fixture.reconciler::close);
    // It waits for the writer, which in turn waits for the database.
    await()
        .atMost(LossAccountFixture.WITHIN)
        .until(() ->
            closing.getState() == Thread.State.TIMED_WAITING
                || closing.getState() == Thread.State.TERMINATED);
    writerGoesOn.countDown();
    closing.join();
    writer.join();

    assertThat(fixture.number("select sum(cuts) from reconciled")).isEqualTo(2);
    assertThat(fixture.rows(LOSSES))
        .containsExactly("bus>relay|relay|1|mad.topic.a|10|3|fewer received than were published");
  }

  private static void hold(Database database, CountDownLatch held, CountDownLatch goOn) {
    try {
      database.write(connection -> {
        held.countDown();
        return cameOn(goOn);
      });
    } catch (StoreUnavailableException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean cameOn(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @TriesLimit("rogers.ledger-bytes")
  void ledgersThatWereReadMakeRoomForOthers() throws Exception {
    String channel = "mad.system.ledger";
    String payload = "{\"x\":\"%s\"}".formatted("x".repeat(ObserverFixture.ENVELOPE_LIMIT - 1_024));
    String large = joshua.testing.RawEnvelope.on(channel).payload(payload).json();
    Counter unreadable = fixture.meters.get("joshua.rogers.ledger.unreadable").counter();
    for (long sent = 0; sent <= LossReconciler.QUEUE_BYTES; sent += large.length()) {
      double before = unreadable.count();
      third.publish(channel, large);
      await().pollInterval(Duration.ofMillis(1)).until(() -> unreadable.count() > before);
    }
    assertThat(fixture.meters.get("joshua.rogers.ledger.let.go").counter().count()).isZero();
  }

  @Test
  @TriesLimit("rogers.ledger-queue")
  void aMarkerThatFindsNoPlaceJoinsTwoSpans() throws Exception {
    CountDownLatch writerIsHeld = new CountDownLatch(1);
    CountDownLatch writerGoesOn = new CountDownLatch(1);
    Thread writer =
        Thread.ofVirtual().start(() -> hold(fixture.database(), writerIsHeld, writerGoesOn));
    writerIsHeld.await();
    relay.received("mad.topic.a", 1, 0).tell();
    relay.tell();
    Counter letGo = fixture.meters.get("joshua.rogers.ledger.let.go").counter();
    int most = 2 * LossReconciler.QUEUE;
    for (int i = 0; i < most && letGo.count() == 0; i++) {
      relay.mark();
    }
    await().atMost(LossAccountFixture.WITHIN).until(() -> letGo.count() > 0);
    writerGoesOn.countDown();
    writer.join();
    relay.publish("mad.topic.a", 3);
    relay.received("mad.topic.a", 1, 3).tell();
    await()
        .atMost(LossAccountFixture.WITHIN)
        .until(() -> fixture.rows(RECONCILED).toString().contains("|3|"));
    assertThat(fixture.rows(LOSSES)).isEmpty();
  }

  @Test
  void messagesOfNoFormAreCountedAndLeftOut() throws Exception {
    for (String payload :
        new String[] {
          "{\"subscriptions\":{}}",
          "{\"epoch\":\"e\",\"instance\":\"i\",\"marker\":-1,\"subscriptions\":{}}",
          "{\"epoch\":\"e\",\"instance\":\"i\",\"marker\":1,\"subscriptions\":{\"x\":{}}}",
          "{\"epoch\":\"e\",\"instance\":\"i\",\"marker\":1,\"part\":3,\"parts\":2,\"subscriptions\":{}}",
          "{\"epoch\":\"e\",\"instance\":\"i\",\"marker\":1,\"subscriptions\":{},\"pairs\":{}}"
        }) {
      third.publish(
          "mad.system.ledger",
          joshua.testing.RawEnvelope.on("mad.system.ledger").payload(payload).json());
    }
    relay.tell();

    awaitLedgers(1);
    assertThat(fixture.meters.get("joshua.rogers.ledger.unreadable").counter().count())
        .isEqualTo(5);
  }
}
