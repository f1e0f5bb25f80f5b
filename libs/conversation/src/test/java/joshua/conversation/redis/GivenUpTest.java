package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.BusUnavailable;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Taken;
import joshua.testing.Fault;
import joshua.testing.Faults;
import org.junit.jupiter.api.Test;

/** What waits for a subscription that is given up before Redis has confirmed it. */
class GivenUpTest {
  private static final List<ChannelPattern> NEW = List.of(new ChannelPattern("mad.topic.new"));

  @Test
  void isToldThatNothingIsFollowed() throws Exception {
    try (Participants participants = new Participants();
        Faults network = Faults.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), Participants.CALM);
      network.inject(new Fault.Stall());
      Taken taken = new Taken();
      CompletableFuture<Void> confirmation = alice.followAsync(taken, NEW);

      alice.unfollow(taken, NEW);

      assertThat(confirmation)
          .failsWithin(Duration.ofSeconds(1))
          .withThrowableThat()
          .withCauseInstanceOf(BusUnavailable.class)
          .withMessageContaining("given up before Redis");
    }
  }
}
