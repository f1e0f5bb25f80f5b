package joshua.conversation.redis;

import static joshua.conversation.redis.Participants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Sent;
import joshua.conversation.Taken;
import joshua.testing.Fault;
import joshua.testing.Faults;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A line on which nothing comes any more, although nobody has closed it. */
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
    try (Participants participants = new Participants()) {
      RealRedis redis = participants.redis();
      ConversationBus alice = participants.join("alice", redis.url(), LineTiming.CONTRACT);
      ConversationBus bob = participants.join("bob", redis.url(), LineTiming.CONTRACT);
      Taken taken = new Taken();
      bob.subscribe(ChannelPattern.exactly(TOPIC), taken);
      redis.freeze();
      long frozen = System.nanoTime();
      CompletableFuture<Sent> sent = alice.sendAsync(Draft.on(TOPIC, numbered(1)));
      await().atMost(Duration.ofSeconds(8)).until(sent::isDone);
      assertThat(sent.join()).isInstanceOf(Sent.OutcomeUnknown.class);
      assertThat(since(frozen)).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(5));
      await().atMost(Duration.ofSeconds(12)).until(() -> !alice.isUsable() && !bob.isUsable());
      assertThat(since(frozen)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(10));
      taken.awaitGaps(1);
      assertThat(alice.send(Draft.on(TOPIC, numbered(2)))).isInstanceOf(Sent.Refused.class);
      redis.thaw();
      await().atMost(BACK_WITHIN).until(() -> alice.isUsable() && bob.isUsable());
      await()
          .atMost(BACK_WITHIN)
          .until(() ->
              alice.send(Draft.on(TOPIC, numbered(3))) instanceof Sent.Accepted accepted
                  && accepted.receivers() > 0);
      await().until(() -> taken.numbers().contains(3));
      assertThat(taken.numbers()).doesNotContain(2);
    }
  }

  @Test
  void aLineCutWithoutAWordIsNoticedWithinNineSeconds() throws Exception {
    try (Participants participants = new Participants();
        Faults network = Faults.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), LineTiming.CONTRACT);
      network.inject(new Fault.Stall());
      long cut = System.nanoTime();
      await().atMost(Duration.ofSeconds(15)).until(() -> !alice.isUsable());
      assertThat(since(cut)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(9_500));
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.Direction.class)
  void whicheverDirectionIsSilentItIsNoticedAndAllIsWellWhenItPassesAgain(Fault.Direction direction)
      throws Exception {
    try (Participants participants = new Participants();
        Faults network = Faults.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.FAST);
      Taken taken = new Taken();
      alice.subscribe(ChannelPattern.exactly(TOPIC), taken);
      network.inject(new Fault.Stall(direction));
      await().until(() -> !alice.isUsable());
      taken.awaitGaps(1);
      network.heal();
      await().atMost(BACK_WITHIN).until(alice::isUsable);
      await()
          .atMost(BACK_WITHIN)
          .until(() -> {
            var _ = alice.send(Draft.on(TOPIC, numbered(1)));
            return taken.numbers().contains(1);
          });
    }
  }

  @Test
  void aHalfClosedLineIsAClosedOne() throws Exception {
    try (Participants participants = new Participants();
        Faults network = Faults.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.CALM);
      Taken taken = new Taken();
      alice.follow(taken, List.of(ChannelPattern.exactly(TOPIC)));
      network.inject(new Fault.HalfClose());
      taken.awaitGaps(1);
      await().atMost(BACK_WITHIN).until(alice::isUsable);
    }
  }

  @Test
  void aSlowLineIsNoDeadOne() throws Exception {
    try (Participants participants = new Participants();
        Faults network = Faults.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.CALM);
      Taken taken = new Taken();
      alice.subscribe(ChannelPattern.exactly(TOPIC), taken);
      network.inject(new Fault.Delay(Duration.ofMillis(300)));
      assertThat(alice.send(Draft.on(TOPIC, numbered(1)))).isInstanceOf(Sent.Accepted.class);
      taken.awaitMessages(1);
      assertThat(taken.gaps()).isEmpty();
    }
  }
}
