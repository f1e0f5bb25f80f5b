package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
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
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.kernel.HeapPlan;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RawRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A full limit is reported as such, and works again once there is room. */
@Isolated("fills both processors")
class RedisLimitsTest {
  private static final int SUBSCRIPTION_LIMIT = 62_000;

  private final BusParticipants participants = new BusParticipants();

  @AfterEach
  void leave() {
    participants.close();
  }

  @Test
  @TriesLimit("bus.published-bytes")
  void whatRedisHasNotRepliedToIsBoundedAndOneMoreIsRefusedUnsent() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConnectionTimeouts patient =
          new ConnectionTimeouts(
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20),
              Duration.ofSeconds(20));
      ConversationBus alice = participants.join("alice", network.url(), patient);
      network.inject(new NetworkFault.Stall());
      String large = "x".repeat((int) BusParticipants.ENVELOPE_LIMIT - 1_000);
      long most = BusParticipants.PLAN.bytes(RedisLimits.PUBLISHED);
      List<CompletableFuture<SendResult>> sent = new ArrayList<>();
      OutgoingMessage outgoingMessage =
          OutgoingMessage.on(Channel.topic("x"), Json.object().put("text", large));
      while (sent.isEmpty() || !sent.getLast().isDone()) {
        sent.add(alice.sendAsync(outgoingMessage));
      }
      assertThat(sent.getLast().join())
          .isInstanceOfSatisfying(
              SendResult.Refused.class,
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
      await().until(() -> alice.send(outgoingMessage) instanceof SendResult.Accepted);
    }
  }

  @Test
  @TriesLimit("bus.published")
  void oneSmallMessageMoreThanRedisHasNotRepliedToIsRefusedUnsent() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConnectionTimeouts patient =
          new ConnectionTimeouts(
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
              TimedWait.system(),
              // So large a heap that bytes aren't the limit.
              new HeapPlan(4L << 30, 1));
      network.inject(new NetworkFault.Stall());
      OutgoingMessage outgoingMessage = OutgoingMessage.on(Channel.topic("x"), Json.object());
      List<CompletableFuture<SendResult>> sent = new ArrayList<>();
      while (sent.isEmpty() || !sent.getLast().isDone()) {
        sent.add(alice.sendAsync(outgoingMessage));
      }
      assertThat(sent.getLast().join())
          .isInstanceOfSatisfying(
              SendResult.Refused.class,
              refused ->
                  assertThat(refused.refusal().details().get("outcome").textValue())
                      .isEqualTo("not_sent"));
      // The participant's own heartbeats may wait with them.
      assertThat(sent.size())
          .isBetween(PublisherConnection.REQUEST_LIMIT - 10, PublisherConnection.REQUEST_LIMIT + 1);
      network.heal();
      await().until(() -> alice.send(outgoingMessage) instanceof SendResult.Accepted);
    }
  }

  @Test
  @TriesLimit("bus.subscriptions")
  void aFullSetOfSubscriptionsIsFollowedAndRestoredAndOneMoreIsRefused() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port());
        RawRedis raw = participants.redis().raw()) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      // One is the presence that every participant follows. Most are names: a PSUBSCRIBE takes
      // Redis 7.0 as long as the connection has patterns already.
      List<ChannelPattern> most =
          IntStream.range(0, SUBSCRIPTION_LIMIT - 1)
              .mapToObj(n -> new ChannelPattern("mad.topic.t" + n + (n % 100 == 99 ? ".*" : "")))
              .toList();
      alice.followAsync(handler, most).get(60, TimeUnit.SECONDS);
      assertThat(raw.patterns()).isEqualTo(SUBSCRIPTION_LIMIT / 100 - 1);
      assertThat(alice.followAsync(handler, List.of(new ChannelPattern("mad.topic.one-more"))))
          .failsWithin(Duration.ofSeconds(1))
          .withThrowableThat()
          .withMessageContaining("more than 62000 distinct subscriptions");

      network.inject(new NetworkFault.Cut());
      handler.awaitGaps(1);
      network.heal();
      await().until(() -> raw.patterns() == SUBSCRIPTION_LIMIT / 100 - 1);
      await()
          .until(() ->
              alice.send(OutgoingMessage.on(Channel.topic("t61997"), numbered(1)))
                      instanceof SendResult.Accepted accepted
                  && accepted.receivers() == 1);
      handler.awaitMessages(1);
    }
  }
}
