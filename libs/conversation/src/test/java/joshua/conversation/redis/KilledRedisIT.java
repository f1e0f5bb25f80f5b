package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.kernel.ErrorCode;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis dies, or the connection to it is cut, and comes back. */
class KilledRedisIT {
  private static final Duration BACK_WITHIN = Duration.ofSeconds(30);
  private static final Channel TOPIC = Channel.topic("x");

  private final BusParticipants participants = new BusParticipants();

  @AfterEach
  void leave() {
    participants.close();
  }

  private static void awaitUsable(ConversationBus bus) {
    await().atMost(BACK_WITHIN).until(bus::isUsable);
  }

  private static String outcome(SendResult sendResult) {
    return switch (sendResult) {
      case SendResult.Accepted accepted -> "accepted";
      case SendResult.Refused(var refusal) -> {
        assertThat(refusal.code()).isEqualTo(ErrorCode.BUS_UNAVAILABLE);
        yield refusal.details().get("outcome").textValue();
      }
      case SendResult.OutcomeUnknown unknown -> {
        assertThat(unknown.refusal().code()).isEqualTo(ErrorCode.BUS_UNAVAILABLE);
        yield unknown.refusal().details().get("outcome").textValue();
      }
    };
  }

  @Test
  void everythingWorksAgainByItselfAndSubscribersAreToldOfTheGap() throws Exception {
    ConversationBus alice = participants.join("alice");
    ConversationBus bob = participants.join("bob");
    RecordingHandler byName = new RecordingHandler();
    RecordingHandler byPattern = new RecordingHandler();
    bob.subscribe(ChannelPattern.exactly(TOPIC), byName);
    bob.subscribe(new ChannelPattern("mad.topic.*"), byPattern);
    for (int round = 1; round <= 2; round++) {
      Instant before = Instant.now();
      participants.redis().kill();
      assertThat(outcome(alice.send(OutgoingMessage.on(TOPIC, numbered(-1)))))
          .isIn("not_sent", "unknown");
      awaitUsable(alice);
      awaitUsable(bob);
      // At the loss, and again when all subscriptions are there: the handler may get both as one.
      byName.awaitGaps(round);
      byPattern.awaitGaps(round);
      int n = round;
      await()
          .atMost(BACK_WITHIN)
          .until(() ->
              alice.send(OutgoingMessage.on(TOPIC, numbered(n)))
                      instanceof SendResult.Accepted accepted
                  && accepted.receivers() == 2);
      await().until(() -> byName.numbers().contains(n) && byPattern.numbers().contains(n));
      assertThat(byName.gaps().getLast().reason()).isEqualTo(Gap.Reason.RECONNECT);
      assertThat(byName.gaps().getLast().missed()).isEmpty();
      assertThat(byName.gaps().getLast().since()).isBefore(before.plusSeconds(10));
    }
    assertThat(byName.numbers()).doesNotContain(-1);
  }

  @Test
  void aPublishAtTheMomentOfTheCutIsAcceptedRefusedOrUnknownAndDeliveredAccordingly()
      throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port());
        RawListener listener = RawListener.on(participants.redis(), "mad.topic.*")) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      List<CompletableFuture<SendResult>> sent = new ArrayList<>();
      for (int n = 0; n < 2_000; n++) {
        sent.add(alice.sendAsync(OutgoingMessage.on(TOPIC, numbered(n))));
        if (n == 100) {
          sent.getLast().join();
        } else if (n == 1_000) {
          network.inject(new NetworkFault.Cut());
        }
      }
      List<String> outcomes = sent.stream().map(each -> outcome(each.join())).toList();
      assertThat(outcomes.getFirst()).isEqualTo("accepted");
      await().until(() -> !alice.isUsable());
      assertThat(outcome(alice.send(OutgoingMessage.on(TOPIC, numbered(2_000)))))
          .isEqualTo("not_sent");
      long accepted = outcomes.stream().filter("accepted"::equals).count();
      await().until(() -> listener.on("mad.topic.x").size() >= accepted);
      List<String> heard = listener.on("mad.topic.x");
      for (int n = 0; n < outcomes.size(); n++) {
        String payload = "\"payload\":{\"n\":" + n + "}";
        long times = heard.stream().filter(body -> body.contains(payload)).count();
        switch (outcomes.get(n)) {
          case "accepted" -> assertThat(times).as("%d", n).isEqualTo(1);
          case "not_sent" -> assertThat(times).as("%d", n).isZero();
          default -> assertThat(times).as("%d", n).isLessThan(2);
        }
      }
      network.heal();
      awaitUsable(alice);
      assertThat(outcome(alice.send(OutgoingMessage.on(TOPIC, numbered(-1)))))
          .isEqualTo("accepted");
    }
  }

  @Test
  void whileItIsAwayEverySendIsRefusedUnsentAndAtOnce() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      network.inject(new NetworkFault.Cut());
      // Its two connections notice that one after the other: what is sent in between is unknown.
      await()
          .until(() ->
              alice.send(OutgoingMessage.on(TOPIC, numbered(0))) instanceof SendResult.Refused);
      long start = System.nanoTime();
      SendResult sendResult = alice.send(OutgoingMessage.on(TOPIC, numbered(1)));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
      assertThat(sendResult)
          .isInstanceOfSatisfying(
              SendResult.Refused.class,
              refused ->
                  assertThat(refused.refusal().message())
                      .isEqualTo(
                          "Redis at 127.0.0.1:%d is away; try again when it is back."
                              .formatted(network.port())));
      assertThat(outcome(sendResult)).isEqualTo("not_sent");
    }
  }

  @Test
  void whatIsFollowedOrGivenUpWhileItIsAwayIsSoWhenItIsBack() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port());
        RawRedis raw = participants.redis().raw()) {
      ConversationBus bob = participants.join("bob", network.url(), BusParticipants.CALM);
      ConversationBus alice = participants.join("alice");
      RecordingHandler recordingHandler = new RecordingHandler();
      bob.follow(
          recordingHandler, List.of(new ChannelPattern("mad.topic.old"), ChannelPattern.ALL));
      network.inject(new NetworkFault.Cut());
      await().until(() -> !bob.isUsable());
      CompletableFuture<Void> confirmed =
          bob.followAsync(recordingHandler, List.of(new ChannelPattern("mad.topic.new")));
      bob.unfollow(
          recordingHandler, List.of(new ChannelPattern("mad.topic.old"), ChannelPattern.ALL));
      assertThat(confirmed).isNotDone();
      network.heal();
      confirmed.get(BACK_WITHIN.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
      assertThat(raw.subscribers("mad.topic.new")).isEqualTo(1);
      assertThat(raw.subscribers("mad.topic.old")).isZero();
      assertThat(raw.patterns()).isZero();
      alice.send(OutgoingMessage.on(Channel.topic("old"), numbered(1)));
      alice.send(OutgoingMessage.on(Channel.topic("new"), numbered(2)));
      await().until(() -> recordingHandler.numbers().contains(2));
      assertThat(recordingHandler.numbers()).doesNotContain(1);
    }
  }

  @Test
  void aLineThatComesUpAndFallsAgainAndAgainIsTriedMoreAndMoreSeldom() throws Exception {
    List<Duration> pauses = new CopyOnWriteArrayList<>();
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      // Its pauses are recorded instead of waited for.
      ConversationBus alice =
          participants.join(
              "alice", participants.address(network.url()), BusParticipants.CALM, pauses::add);
      for (int times = 0; times < 12; times++) {
        awaitUsable(alice);
        int fallen = pauses.size();
        network.inject(new NetworkFault.HalfClose());
        await().until(() -> pauses.size() >= fallen + 2);
      }
      assertThat(pauses).allMatch(pause -> pause.compareTo(ReconnectBackoff.MOST) <= 0);
      // The twelfth pause of either connection is up to 10 s; that all are short is practically
      // impossible.
      assertThat(pauses).anyMatch(pause -> pause.compareTo(Duration.ofMillis(500)) > 0);
    }
  }
}
