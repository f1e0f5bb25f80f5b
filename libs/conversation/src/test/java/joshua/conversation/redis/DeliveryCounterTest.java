package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.DeliveryCounter;
import joshua.conversation.DeliveryCounter.Count;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.ReceivedMessage;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

/** The relay's counts of the copies that Redis sent it (+RG-17). */
final class DeliveryCounterTest {
  private static final int MOST_CUTS = 1_000;
  private static final ChannelPattern MARKS = new ChannelPattern("mad.topic.mark");
  private static final ChannelPattern EXACT = new ChannelPattern("mad.topic.a");
  private static final ChannelPattern GLOB = new ChannelPattern("mad.topic.*");

  /** Cuts at every message on the channel of the markers. */
  private static final class Cutter implements MessageReceiver {
    final DeliveryCounter counts;
    final Map<Long, Map<ChannelPattern, Count>> cuts = new ConcurrentHashMap<>();

    Cutter(ConversationBus bus) {
      this.counts = bus.countCopies();
    }

    @Override
    public void deliver(ReceivedMessage receivedMessage) {
      long marker = receivedMessage.envelope().payload().path("n").asLong();
      cuts.put(
          marker,
          counts.cut(marker).stream().collect(Collectors.toMap(Count::subscription, c -> c)));
    }

    @Override
    public void missed(Gap gap) {}

    Map<ChannelPattern, Count> awaitCut(RawRedis third, long marker) {
      third.publish(
          MARKS.text(), RawEnvelope.on(MARKS.text()).payload("{\"n\":" + marker + "}").json());
      await().until(() -> cuts.containsKey(marker));
      return cuts.getOrDefault(marker, Map.of());
    }
  }

  private static final MessageReceiver NOBODY =
      new MessageReceiver() {
        @Override
        public void deliver(ReceivedMessage receivedMessage) {}

        @Override
        public void missed(Gap gap) {}
      };

  @Test
  void everyCopyOfEverySubscriptionCountsFromItsFirstCutOn() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        RawRedis third = participants.redis().raw()) {
      ConversationBus bus = participants.join("relay");
      Cutter cutter = new Cutter(bus);
      bus.follow(cutter, List.of(MARKS));
      bus.follow(NOBODY, List.of(EXACT));
      publish(third, 5);
      assertThat(cutter.awaitCut(third, 7).get(EXACT)).isEqualTo(new Count(EXACT, 7, 0));

      bus.follow(NOBODY, List.of(GLOB));
      publish(third, 3);
      // Not an envelope: no receiver gets it, but Redis has sent it.
      third.publish(EXACT.text(), "{");
      Map<ChannelPattern, Count> second = cutter.awaitCut(third, 8);
      publish(third, 2);
      Map<ChannelPattern, Count> third9 = cutter.awaitCut(third, 9);

      assertThat(second.get(EXACT)).isEqualTo(new Count(EXACT, 7, 4));
      assertThat(second.get(GLOB)).isEqualTo(new Count(GLOB, 8, 0));
      assertThat(third9.get(EXACT)).isEqualTo(new Count(EXACT, 7, 6));
      // Both messages, and the mark of the cut before: a glob's copy comes after the channel's.
      assertThat(third9.get(GLOB)).isEqualTo(new Count(GLOB, 8, 3));
    }
  }

  @Test
  void aSubscriptionGivenUpAndMadeAgainCountsAnew() throws Exception {
    try (BusParticipants participants = new BusParticipants();
        RawRedis third = participants.redis().raw()) {
      ConversationBus bus = participants.join("relay");
      Cutter cutter = new Cutter(bus);
      bus.follow(cutter, List.of(MARKS));
      bus.follow(NOBODY, List.of(EXACT));
      cutter.awaitCut(third, 1);
      publish(third, 5);

      bus.unfollow(NOBODY, List.of(EXACT));
      int cut = 2;
      // The mark comes by another connection, and may be ahead of the end of the subscription.
      while (cut < MOST_CUTS && cutter.awaitCut(third, cut).containsKey(EXACT)) {
        cut++;
      }
      assertThat(cut).isLessThan(MOST_CUTS);
      bus.follow(NOBODY, List.of(EXACT));
      publish(third, 2);

      int again = cut + 1;
      assertThat(cutter.awaitCut(third, again).get(EXACT)).isEqualTo(new Count(EXACT, again, 0));
      publish(third, 2);
      assertThat(cutter.awaitCut(third, again + 1).get(EXACT))
          .isEqualTo(new Count(EXACT, again, 2));
    }
  }

  private static void publish(RawRedis third, int messages) {
    for (int i = 0; i < messages; i++) {
      third.publish(EXACT.text(), RawEnvelope.on(EXACT.text()).json());
    }
  }
}
