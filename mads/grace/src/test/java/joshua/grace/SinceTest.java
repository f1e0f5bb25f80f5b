package joshua.grace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.ReceivedMessage;
import joshua.grace.meter.MissedMessages;
import joshua.grace.queue.ClientQueue;
import joshua.grace.queue.FollowedTopics;
import joshua.grace.queue.QueuePosition;
import joshua.grace.queue.QueuedMessage;
import joshua.grace.queue.SubscriptionBudget;
import joshua.testing.RawEnvelope;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A gap's {@code since} is no later than the first message that is missing (wire contract §3). */
final class SinceTest {
  private static final String FIRST = "2026-01-31T12:00:00.000Z";
  private static final Duration LATER = Duration.ofMinutes(1);
  private static final GraceConfig ONE_MESSAGE = new GraceConfig(1, 10, 1L << 30);
  private static final GraceConfig ONE_CLIENT = new GraceConfig(100, 1, 1L << 30);

  private static RealRedis redis;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @Test
  void anOverflowIsDatedByTheMessageThatWasDroppedNotByTheDropping() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, ONE_MESSAGE)) {
      grace.subscribe("ann", "mad.topic.a");
      sendAndDropTheFirst(grace);

      JsonNode gap = grace.poll("ann").path("gap");
      assertThat(gap.path("missed").asInt()).isEqualTo(1);
      assertThat(gap.path("since").asText()).isEqualTo(FIRST);
    }
  }

  @Test
  void aBrokenConnectionDoesNotHideAnEarlierOverflow() throws Exception {
    Instant first = Instant.parse(FIRST);
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    FollowedTopics followedTopics = new FollowedTopics(new SubscriptionBudget(ONE_CLIENT));
    ClientQueue queue =
        new ClientQueue(
            "ann", 1, followedTopics, lock.newCondition(), dropped -> {}, first, () -> 0);
    QueuePosition start = queue.reached();
    byte[] body = RawEnvelope.on("mad.topic.a").withText("timestamp", FIRST).json().getBytes(UTF_8);
    queue.add(
        new QueuedMessage(new ReceivedMessage(EnvelopeCodec.decode("mad.topic.a", body), body)));
    queue.drop(first.plus(LATER));

    queue.broken(MissedMessages.Reason.RECONNECT, first.plus(LATER.multipliedBy(2)));

    assertThat(queue.missed(start))
        .contains(MissedMessages.unknown(MissedMessages.Reason.RECONNECT, first));
  }

  @Test
  void anEvictionIsDatedByTheFirstMessageThatWaited() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, ONE_CLIENT)) {
      grace.subscribe("ann", "mad.topic.a");
      send(grace, 1);
      grace.time.advance(LATER);

      grace.subscribe("bob", "mad.topic.a");

      assertThat(grace.poll("ann").path("gap").path("since").asText()).isEqualTo(FIRST);
    }
  }

  @Test
  void aCursorRemembersWhatStillWaitedWhenItWasTold() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, ONE_CLIENT)) {
      JsonNode start = grace.subscribe("ann", "mad.topic.a");
      send(grace, 1);
      send(grace, 2);
      grace.time.advance(LATER);
      JsonNode polled =
          grace.call(
              "grace_poll_messages",
              "{'client_id':'ann','max_messages':1,'cursor':'%s'}"
                  .formatted(start.path("cursor").asText()));
      assertThat(polled.path("remaining").asInt()).isEqualTo(1);
      grace.subscribe("bob", "mad.topic.a");

      JsonNode back =
          grace.call(
              "grace_subscribe",
              "{'client_id':'ann','topics':['mad.topic.a'],'cursor':'%s'}"
                  .formatted(polled.path("cursor").asText()));

      assertThat(back.path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(back.path("gap").path("since").asText()).isEqualTo(FIRST);
    }
  }

  private static void sendAndDropTheFirst(RunningGrace grace) throws InterruptedException {
    send(grace, 1);
    grace.time.advance(LATER);
    grace.send("mad.topic.a", "{}");
    await().until(() -> grace.metric("joshua.grace.dropped", "reason", "overflow") == 1);
  }

  private static void send(RunningGrace grace, int number) throws InterruptedException {
    grace.send("mad.topic.a", "{}");
    await().until(() -> grace.metric("joshua.grace.matched") == number);
  }
}
