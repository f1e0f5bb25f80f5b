package joshua.conversation.redis;

import static joshua.conversation.redis.Participants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.BusUnavailable;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Sent;
import joshua.conversation.Taken;
import joshua.testing.LeakCheck;
import joshua.testing.RawListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** What is left when a participant ends, and how long that takes: nothing, and not long. */
@Isolated("looks for threads and sockets left over")
@ExtendWith(LeakCheck.class)
class EndOfTheBusTest {
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(3);

  private static void assertClosesInTime(ConversationBus bus) {
    long start = System.nanoTime();
    bus.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(CLOSED_WITHIN);
  }

  @Test
  void closesWithRedisUpAfterAllThatWasSentAndTheLeave() throws Exception {
    try (Participants participants = new Participants();
        RawListener listener = RawListener.on(participants.redis(), "mad.*")) {
      ConversationBus alice = participants.join("alice");
      Taken taken = new Taken();
      alice.subscribe(ChannelPattern.ALL, taken);
      alice.subscribe(ChannelPattern.ALL, envelope -> new CountDownLatch(1).await());
      alice.follow(taken, List.of(ChannelPattern.exactly(Channel.BROADCAST)));
      for (int n = 0; n < 300; n++) {
        alice.sendAsync(Draft.on(Channel.topic("x"), numbered(n)));
      }
      assertClosesInTime(alice);
      await().until(() -> listener.on("mad.system.presence").size() == 2);
      assertThat(listener.heard().getLast().body()).contains("\"event\":\"leave\"");
      assertThat(listener.on("mad.topic.x")).hasSize(300);
      assertThat(alice.send(Draft.on(Channel.topic("x"), numbered(1))))
          .isInstanceOf(Sent.Refused.class);
      alice.close();
    }
  }

  @Test
  void closesWithRedisAway() throws Exception {
    Participants participants = new Participants();
    ConversationBus alice = participants.join("alice");
    alice.subscribe(ChannelPattern.ALL, new Taken());
    participants.redis().close();
    await().until(() -> !alice.isUsable());
    assertClosesInTime(alice);
  }

  @Test
  void closesWithRedisFrozen() throws Exception {
    try (Participants participants = new Participants()) {
      ConversationBus alice = participants.join("alice");
      alice.subscribe(ChannelPattern.ALL, new Taken());
      participants.redis().freeze();
      assertClosesInTime(alice);
      participants.redis().thaw();
    }
  }

  @Test
  void aJoinThatFailedLeavesNothing() throws Exception {
    try (Participants participants = new Participants()) {
      for (int times = 0; times < 5; times++) {
        assertThatThrownBy(
                () -> RedisConversation.join("alice", participants.redis().url(), "wrong-password"))
            .isInstanceOf(BusUnavailable.class);
      }
    }
  }

  @Test
  void manyOutagesLeaveNothing() throws Exception {
    try (Participants participants = new Participants()) {
      ConversationBus alice = participants.join("alice");
      for (int times = 0; times < 3; times++) {
        participants.redis().kill();
        await().until(() -> !alice.isUsable());
        await().atMost(Duration.ofSeconds(30)).until(alice::isUsable);
      }
    }
  }
}
