package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection on which nothing arrives any more, although neither side has closed it. */
@Execution(ExecutionMode.CONCURRENT)
class SilentLineIT {
  private static final Channel TOPIC = Channel.topic("x");
  private static final Duration BACK_WITHIN = Duration.ofSeconds(30);

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** With the contract's own timing: ping every 5 s, 3 s for the answer, 3 s for a reply. */
  @Test
  void aFrozenRedisMakesTheOutcomeUnknownAndTheLineIsGivenUpAndAllIsWellWhenItThaws()
      throws Exception {
    try (BusParticipants participants = new BusParticipants()) {
      RealRedis redis = participants.redis();
      ConversationBus alice = participants.join("alice", redis.url(), ConnectionTimeouts.CONTRACT);
      ConversationBus bob = participants.join("bob", redis.url(), ConnectionTimeouts.CONTRACT);
      RecordingHandler handler = new RecordingHandler();
      bob.subscribe(ChannelPattern.exactly(TOPIC), handler);
      redis.freeze();
      long frozen = System.nanoTime();
      CompletableFuture<SendResult> sent = alice.sendAsync(OutgoingMessage.on(TOPIC, numbered(1)));
      await().atMost(Duration.ofSeconds(8)).until(sent::isDone);
      assertThat(sent.join()).isInstanceOf(SendResult.OutcomeUnknown.class);
      assertThat(since(frozen)).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(5));
      await().atMost(Duration.ofSeconds(12)).until(() -> !alice.isUsable() && !bob.isUsable());
      assertThat(since(frozen)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(10));
      handler.awaitGaps(1);
      assertThat(alice.send(OutgoingMessage.on(TOPIC, numbered(2))))
          .isInstanceOf(SendResult.Refused.class);
      redis.thaw();
      await().atMost(BACK_WITHIN).until(() -> alice.isUsable() && bob.isUsable());
      await()
          .atMost(BACK_WITHIN)
          .until(() ->
              alice.send(OutgoingMessage.on(TOPIC, numbered(3)))
                      instanceof SendResult.Accepted accepted
                  && accepted.receivers() > 0);
      await().until(() -> handler.numbers().contains(3));
      assertThat(handler.numbers()).doesNotContain(2);
    }
  }

  @Test
  void aLineCutWithoutAWordIsNoticedWithinNineSeconds() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice =
          participants.join("alice", network.url(), ConnectionTimeouts.CONTRACT);
      network.inject(new NetworkFault.Stall());
      long cut = System.nanoTime();
      await().atMost(Duration.ofSeconds(15)).until(() -> !alice.isUsable());
      assertThat(since(cut)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(9_500));
    }
  }

  @ParameterizedTest
  @EnumSource(NetworkFault.Direction.class)
  void whicheverDirectionIsSilentItIsNoticedAndAllIsWellWhenItPassesAgain(
      NetworkFault.Direction direction) throws Exception {
    try (BusParticipants participants = new BusParticipants();
        FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.FAST);
      RecordingHandler handler = new RecordingHandler();
      alice.subscribe(ChannelPattern.exactly(TOPIC), handler);
      network.inject(new NetworkFault.Stall(direction));
      await().until(() -> !alice.isUsable());
      handler.awaitGaps(1);
      network.heal();
      await().atMost(BACK_WITHIN).until(alice::isUsable);
      await()
          .atMost(BACK_WITHIN)
          .until(() -> {
            var _ = alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
            return handler.numbers().contains(1);
          });
    }
  }

  @Test
  void aHalfClosedLineIsAClosedOne() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      alice.follow(handler, List.of(ChannelPattern.exactly(TOPIC)));
      network.inject(new NetworkFault.HalfClose());
      handler.awaitGaps(1);
      await().atMost(BACK_WITHIN).until(alice::isUsable);
    }
  }

  @Test
  void aSlowLineIsNoDeadOne() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      alice.subscribe(ChannelPattern.exactly(TOPIC), handler);
      network.inject(new NetworkFault.Delay(Duration.ofMillis(300)));
      assertThat(alice.send(OutgoingMessage.on(TOPIC, numbered(1))))
          .isInstanceOf(SendResult.Accepted.class);
      handler.awaitMessages(1);
      assertThat(handler.gaps()).isEmpty();
    }
  }
}
