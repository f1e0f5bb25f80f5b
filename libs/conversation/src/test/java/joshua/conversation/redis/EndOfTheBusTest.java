package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.testing.LeakCheck;
import joshua.testing.RawListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The end of a participant: it leaves nothing behind and takes little time. */
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
    try (BusParticipants participants = new BusParticipants();
        RawListener listener = RawListener.on(participants.redis(), "mad.*")) {
      ConversationBus alice = participants.join("alice");
      RecordingHandler handler = new RecordingHandler();
      alice.subscribe(ChannelPattern.ALL, handler);
      alice.subscribe(ChannelPattern.ALL, envelope -> new CountDownLatch(1).await());
      alice.follow(handler, List.of(ChannelPattern.exactly(Channel.BROADCAST)));
      for (int n = 0; n < 300; n++) {
        alice.sendAsync(OutgoingMessage.on(Channel.topic("x"), numbered(n)));
      }
      assertClosesInTime(alice);
      await().until(() -> listener.on("mad.system.presence").size() == 2);
      assertThat(listener.heard().getLast().body()).contains("\"event\":\"leave\"");
      assertThat(listener.on("mad.topic.x")).hasSize(300);
      assertThat(alice.send(OutgoingMessage.on(Channel.topic("x"), numbered(1))))
          .isInstanceOf(SendResult.Refused.class);
      alice.close();
    }
  }

  @Test
  void closesWithRedisAway() throws Exception {
    BusParticipants participants = new BusParticipants();
    ConversationBus alice = participants.join("alice");
    alice.subscribe(ChannelPattern.ALL, new RecordingHandler());
    participants.redis().close();
    await().until(() -> !alice.isUsable());
    assertClosesInTime(alice);
  }

  @Test
  void closesWithRedisFrozen() throws Exception {
    try (BusParticipants participants = new BusParticipants()) {
      ConversationBus alice = participants.join("alice");
      alice.subscribe(ChannelPattern.ALL, new RecordingHandler());
      participants.redis().freeze();
      assertClosesInTime(alice);
      participants.redis().thaw();
    }
  }

  @Test
  void aJoinThatFailedLeavesNothing() throws Exception {
    try (BusParticipants participants = new BusParticipants()) {
      for (int times = 0; times < 5; times++) {
        assertThatThrownBy(
                () -> RedisConversation.join("alice", participants.redis().url(), "wrong-password"))
            .isInstanceOf(BusUnavailableException.class);
      }
    }
  }

  @Test
  void manyOutagesLeaveNothing() throws Exception {
    try (BusParticipants participants = new BusParticipants()) {
      ConversationBus alice = participants.join("alice");
      for (int times = 0; times < 3; times++) {
        participants.redis().kill();
        await().until(() -> !alice.isUsable());
        await().atMost(Duration.ofSeconds(30)).until(alice::isUsable);
      }
    }
  }
}
