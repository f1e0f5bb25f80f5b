package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.RecordingHandler;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import org.junit.jupiter.api.Test;

/** Waiting for a subscription that is unfollowed before Redis has confirmed it. */
class GivenUpTest {
  private static final List<ChannelPattern> NEW = List.of(new ChannelPattern("mad.topic.new"));

  @Test
  void isToldThatNothingIsFollowed() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      network.inject(new NetworkFault.Stall());
      RecordingHandler handler = new RecordingHandler();
      CompletableFuture<Void> confirmation = alice.followAsync(handler, NEW);

      alice.unfollow(handler, NEW);

      assertThat(confirmation)
          .failsWithin(Duration.ofSeconds(1))
          .withThrowableThat()
          .withCauseInstanceOf(BusUnavailableException.class)
          .withMessageContaining("given up before Redis");
    }
  }
}
