package joshua.conversation.redis;

import static joshua.conversation.redis.Participants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Sent;
import joshua.conversation.Taken;
import joshua.kernel.HeapPlan;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.testing.Fault;
import joshua.testing.Faults;
import joshua.testing.RawRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What is full answers so, and works again when it isn't. */
@Isolated("fills both processors")
class LimitsTest {
  private static final int SUBSCRIPTION_LIMIT = 62_000;

  private final Participants participants = new Participants();

  @AfterEach
  void leave() {
    participants.close();
  }

  @Test
  @TriesLimit("bus.published-bytes")
  void whatRedisHasNotRepliedToIsBoundedAndOneMoreIsRefusedUnsent() throws Exception {
    try (Faults network = Faults.before(participants.redis().port())) {
      LineTiming patient =
          new LineTiming(
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20));
      ConversationBus alice = participants.join("alice", network.url(), patient);
      network.inject(new Fault.Stall());
      String large = "x".repeat((int) Participants.ENVELOPE_LIMIT - 1_000);
      long most = Participants.PLAN.bytes(RedisLimits.PUBLISHED);
      List<CompletableFuture<Sent>> sent = new ArrayList<>();
      Draft draft = Draft.on(Channel.topic("x"), Json.object().put("text", large));
      while (sent.isEmpty() || !sent.getLast().isDone()) {
        sent.add(alice.sendAsync(draft));
      }
      assertThat(sent.getLast().join())
          .isInstanceOfSatisfying(
              Sent.Refused.class,
              refused -> {
                assertThat(refused.refusal().message())
                    .contains("does not keep up")
                    .contains("Send more slowly");
                assertThat(refused.refusal().details().get("outcome").textValue())
                    .isEqualTo("not_sent");
              });
      assertThat((long) sent.size() * large.length()).isBetween(most * 9 / 10, most * 11 / 10);
      network.heal();
      await().until(() -> sent.getFirst().isDone());
      await().until(() -> alice.send(draft) instanceof Sent.Accepted);
    }
  }

  @Test
  @TriesLimit("bus.published")
  void oneSmallMessageMoreThanRedisHasNotRepliedToIsRefusedUnsent() throws Exception {
    try (Faults network = Faults.before(participants.redis().port())) {
      LineTiming patient =
          new LineTiming(
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20));
      ConversationBus alice =
          participants.join(
              "alice",
              participants.address(network.url()),
              patient,
              Pause.system(),
              // So large that its bytes are not what limits them.
              new HeapPlan(4L << 30, 1));
      network.inject(new Fault.Stall());
      Draft draft = Draft.on(Channel.topic("x"), Json.object());
      List<CompletableFuture<Sent>> sent = new ArrayList<>();
      while (sent.isEmpty() || !sent.getLast().isDone()) {
        sent.add(alice.sendAsync(draft));
      }
      assertThat(sent.getLast().join())
          .isInstanceOfSatisfying(
              Sent.Refused.class,
              refused ->
                  assertThat(refused.refusal().details().get("outcome").textValue())
                      .isEqualTo("not_sent"));
      // The participant's own heartbeats may wait with them.
      assertThat(sent.size())
          .isBetween(PublishingEnd.REQUEST_LIMIT - 10, PublishingEnd.REQUEST_LIMIT + 1);
      network.heal();
      await().until(() -> alice.send(draft) instanceof Sent.Accepted);
    }
  }

  @Test
  @TriesLimit("bus.subscriptions")
  void aFullSetOfSubscriptionsIsFollowedAndRestoredAndOneMoreIsRefused() throws Exception {
    try (Faults network = Faults.before(participants.redis().port());
        RawRedis raw = participants.redis().raw()) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.CALM);
      Taken taken = new Taken();
      // One is the presence that every participant follows. Most are names: a PSUBSCRIBE takes
      // Redis 7.0 as long as the connection has patterns already.
      List<ChannelPattern> most =
          IntStream.range(0, SUBSCRIPTION_LIMIT - 1)
              .mapToObj(n -> new ChannelPattern("mad.topic.t" + n + (n % 100 == 99 ? ".*" : "")))
              .toList();
      alice.followAsync(taken, most).get(60, TimeUnit.SECONDS);
      assertThat(raw.patterns()).isEqualTo(SUBSCRIPTION_LIMIT / 100 - 1);
      assertThat(alice.followAsync(taken, List.of(new ChannelPattern("mad.topic.one-more"))))
          .failsWithin(Duration.ofSeconds(1))
          .withThrowableThat()
          .withMessageContaining("more than 62000 distinct subscriptions");

      network.inject(new Fault.Cut());
      taken.awaitGaps(1);
      network.heal();
      await().until(() -> raw.patterns() == SUBSCRIPTION_LIMIT / 100 - 1);
      await()
          .until(() ->
              alice.send(Draft.on(Channel.topic("t61997"), numbered(1)))
                      instanceof Sent.Accepted accepted
                  && accepted.receivers() == 1);
      taken.awaitMessages(1);
    }
  }
}
