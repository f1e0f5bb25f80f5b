package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.MessageReceiver;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.ReceivedMessage;
import joshua.conversation.SendResult;
import org.junit.jupiter.api.Test;

/**
 * Overlapping subscriptions come and go while messages flow: a receiver that follows at least one
 * matching pattern all the time gets each message exactly once.
 */
class StormIT {
  private static final int MESSAGES = 4_000;
  private static final List<ChannelPattern> OVERLAPPING =
      List.of(
          new ChannelPattern("mad.topic.s.1"),
          new ChannelPattern("mad.topic.s.*"),
          new ChannelPattern("mad.topic.*"),
          new ChannelPattern("mad.*"),
          new ChannelPattern("mad.*1"),
          new ChannelPattern("mad.topic.s.?"),
          new ChannelPattern("mad.[st]*"));

  private final long seed = new Random().nextLong();

  /** How often each number came. */
  private static final class Tally implements MessageReceiver {
    final int[] times = new int[MESSAGES];
    volatile int last = -1;

    @Override
    public void deliver(ReceivedMessage receivedMessage) {
      var envelope = receivedMessage.envelope();
      if (envelope.channel().name().startsWith("mad.topic.s.")) {
        int n = envelope.payload().path("n").asInt();
        times[n]++;
        last = Math.max(last, n);
      }
    }

    @Override
    public void missed(Gap gap) {}

    List<Integer> notOnce() {
      return IntStream.range(0, MESSAGES).filter(n -> times[n] != 1).boxed().toList();
    }
  }

  @Test
  void eachMessageComesOnceThroughAStormOfSubscriptions() throws Exception {
    System.out.println("StormIT seed " + seed);
    try (BusParticipants participants = new BusParticipants()) {
      ConversationBus sender = participants.join("sender");
      ConversationBus receiver = participants.join("receiver");
      Tally steady = new Tally();
      Tally changing = new Tally();
      Tally churning = new Tally();
      AtomicBoolean end = new AtomicBoolean();
      receiver.follow(steady, List.of(new ChannelPattern("mad.topic.s.*")));

      CompletableFuture<Void> changes =
          CompletableFuture.runAsync(() -> followOneAfterTheOther(receiver, changing, end));
      await().until(() -> !receiver.receiversOf(Channel.topic("s.1")).isEmpty());
      CompletableFuture<Void> churn =
          CompletableFuture.runAsync(() -> comeAndGo(receiver, churning, end));
      await().until(() -> receiver.receiversOf(Channel.topic("s.1")).contains(changing));

      List<CompletableFuture<SendResult>> sent = new ArrayList<>();
      for (int n = 0; n < MESSAGES; n++) {
        sent.add(sender.sendAsync(OutgoingMessage.on(Channel.topic("s.1"), numbered(n))));
        if (n % 50 == 49) {
          sent.getLast().join();
        }
      }
      assertThat(sent).allMatch(each -> each.join() instanceof SendResult.Accepted);
      await().until(() -> steady.last == MESSAGES - 1);
      end.set(true);
      CompletableFuture.allOf(changes, churn).join();

      assertThat(steady.notOnce()).as("seed %d: the steady one", seed).isEmpty();
      assertThat(changing.notOnce()).as("seed %d: the changing one", seed).isEmpty();
      assertThat(IntStream.of(churning.times).max().orElse(0))
          .as("seed %d: never twice", seed)
          .isLessThan(2);
    }
  }

  /** Always follows at least one: it follows the next before it unfollows the previous one. */
  private void followOneAfterTheOther(
      ConversationBus bus, MessageReceiver messageReceiver, AtomicBoolean end) {
    Random random = new Random(seed);
    try {
      ChannelPattern held = OVERLAPPING.getFirst();
      bus.follow(messageReceiver, List.of(held));
      while (!end.get()) {
        ChannelPattern next = OVERLAPPING.get(random.nextInt(OVERLAPPING.size()));
        if (!next.equals(held)) {
          bus.follow(messageReceiver, List.of(next));
          bus.unfollow(messageReceiver, List.of(held));
          held = next;
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Follows and unfollows any of them, now and then without waiting for anything. */
  private void comeAndGo(ConversationBus bus, MessageReceiver messageReceiver, AtomicBoolean end) {
    Random random = new Random(seed + 1);
    while (!end.get()) {
      List<ChannelPattern> some =
          OVERLAPPING.stream().filter(pattern -> random.nextBoolean()).toList();
      CompletableFuture<Void> confirmation = bus.followAsync(messageReceiver, some);
      if (random.nextInt(3) == 0) {
        confirmation.join();
      }
      bus.unfollow(messageReceiver, some);
    }
    bus.unfollow(messageReceiver, OVERLAPPING);
  }
}
