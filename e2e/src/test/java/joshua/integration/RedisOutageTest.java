package joshua.integration;

import static joshua.integration.RecordingHandler.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.BusListener;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.Subscription;
import joshua.conversation.Timing;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisConversation;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis dies, falls silent, or is cut off, and comes back (REQ-JC-07). */
class RedisOutageTest {
  private static final Channel TOPIC = Channel.topic("x");
  private static final ChannelPattern BY_NAME = ChannelPattern.exactly(TOPIC);
  private static final ChannelPattern BY_PATTERN = new ChannelPattern("mad.topic.*");

  private final RedisServer redis = SharedRedis.another();
  private final TestBus participants = new TestBus(redis);
  private final FaultProxy network = FaultProxy.before(redis.port());
  private final RecordingHandler handler = new RecordingHandler();

  @AfterEach
  void stop() {
    participants.close();
    network.close();
    redis.close();
  }

  private static OutgoingMessage message(int number) {
    return OutgoingMessage.on(TOPIC, numbered(number));
  }

  private static String outcome(SendResult result) {
    return switch (result) {
      case SendResult.Accepted accepted -> "accepted";
      case SendResult.Refused refused -> {
        assertThat(refused.refusal().code()).isEqualTo(ErrorCode.BUS_UNAVAILABLE);
        yield refused.refusal().details().get("outcome").textValue();
      }
      case SendResult.OutcomeUnknown unknown ->
          unknown.refusal().details().get("outcome").textValue();
    };
  }

  /** What is sent while a connection comes back may be lost, so this sends until one arrives. */
  private void awaitDelivery(ConversationBus sender) {
    AtomicInteger number = new AtomicInteger(1_000);
    Await.until(
        "a message arrives",
        () -> {
          sender.send(message(number.incrementAndGet()));
          return handler.numbers().stream().anyMatch(heard -> heard > 1_000);
        });
  }

  private static void awaitUsable(ConversationBus... all) {
    for (ConversationBus bus : all) {
      Await.until(bus.self().name() + " is usable", bus.connection().transport()::isUsable);
    }
  }

  /** Until a connection knows that it is cut, what it sends has an unknown outcome. */
  private static void awaitRefusal(ConversationBus bus, int number) {
    Await.until("a send is refused", () -> outcome(bus.send(message(number))).equals("not_sent"));
  }

  private static void awaitProblem(ConversationBus bus, String words) {
    Await.value(
        bus.self().name() + " says why",
        () -> bus.connection().transport().problem().orElse("nothing"),
        problem -> problem.contains(words));
  }

  private static void awaitUnusable(ConversationBus bus) {
    Await.until(bus.self().name() + " is unusable", () -> !bus.connection().transport().isUsable());
  }

  @Test
  void everythingWorksAgainByItselfAndSubscribersAreToldOfTheGap() throws Exception {
    ConversationBus alice = participants.join("alice");
    ConversationBus bob = participants.join("bob");
    RecordingHandler byName = new RecordingHandler();
    RecordingHandler byPattern = new RecordingHandler();
    bob.subscribe(BY_NAME, byName);
    bob.subscribe(BY_PATTERN, byPattern);
    for (int round = 1; round <= 2; round++) {
      Instant before = Instant.now();
      redis.kill();
      awaitUnusable(alice);
      awaitUnusable(bob);
      // Its two connections notice one after the other.
      assertThat(outcome(alice.send(message(-round)))).isIn("not_sent", "unknown");
      redis.restart();
      awaitUsable(alice, bob);
      assertThat(outcome(alice.send(message(round)))).isEqualTo("accepted");
      byName.awaitNumber(round);
      byPattern.awaitNumber(round);
      // At the loss, and again when all is back.
      assertThat(byName.gaps()).hasSize(2 * round);
      assertThat(byPattern.gaps()).hasSize(2 * round);
      assertThat(byName.gaps().getLast().since()).isBeforeOrEqualTo(before);
      assertThat(byName.gaps().getLast().reason()).isEqualTo(Gap.Reason.RECONNECT);
      assertThat(byName.gaps().getLast().missed()).isEmpty();
    }
    assertThat(byName.numbers()).containsExactly(1, 2);
  }

  @Test
  void aPasswordThatChangesIsReadAgain(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("password"), redis.password() + "\n");
    RedisAddress address = RedisAddress.withPasswordIn(file, network.url());
    try (ConversationBus alice = RedisConversation.join("alice", address, Timing.CONTRACT);
        RawRedis operator = redis.connect()) {
      operator.call("CONFIG", "SET", "requirepass", "another");
      network.set(Fault.CUT);
      awaitUnusable(alice);
      Files.writeString(file, "another");
      network.set(Fault.NONE);
      awaitUsable(alice);
      assertThat(outcome(alice.send(message(1)))).isEqualTo("accepted");
    }
  }

  /** The promise of the contract: written without a reply is unknown, and is never sent again. */
  @Test
  void whatWasWrittenWithoutAReplyIsUnknownAndComesOnceAndWhatWasNotWrittenNever()
      throws Exception {
    ConversationBus bob = participants.join("bob");
    ConversationBus alice = participants.join("alice", network.url(), Timing.CONTRACT);
    bob.subscribe(BY_NAME, handler);
    network.set(Fault.SILENT_TO_CLIENT);
    List<CompletableFuture<SendResult>> swallowed = new ArrayList<>();
    for (int n = 1; n <= 3; n++) {
      swallowed.add(alice.sendAsync(message(n)));
    }
    handler.awaitNumber(3);
    network.set(Fault.CUT);
    for (CompletableFuture<SendResult> each : swallowed) {
      assertThat(outcome(each.get())).isEqualTo("unknown");
    }
    awaitRefusal(alice, 4);
    network.set(Fault.NONE);
    awaitUsable(alice);
    assertThat(outcome(alice.send(message(5)))).isEqualTo("accepted");
    handler.awaitNumber(5);
    assertThat(handler.numbers()).containsExactly(1, 2, 3, 5);
  }

  @Test
  void inTheMidstOfAFloodEachOutcomeIsTrue() throws Exception {
    ConversationBus bob = participants.join("bob");
    ConversationBus alice = participants.join("alice", network.url(), Timing.CONTRACT);
    bob.subscribe(BY_NAME, handler);
    List<CompletableFuture<SendResult>> sent = new ArrayList<>();
    for (int n = 0; n < 6_000; n++) {
      sent.add(alice.sendAsync(message(n)));
      if (n == 2_000) {
        network.set(Fault.CUT);
        awaitRefusal(alice, -1);
      } else if (n == 4_000) {
        network.set(Fault.NONE);
        awaitUsable(alice);
      }
    }
    List<String> outcomes = new ArrayList<>();
    for (CompletableFuture<SendResult> each : sent) {
      outcomes.add(outcome(each.get()));
    }
    assertThat(outcome(alice.send(message(6_000)))).isEqualTo("accepted");
    handler.awaitNumber(6_000);
    List<Integer> heard = handler.numbers().stream().filter(n -> n >= 0).toList();
    assertThat(heard).isSorted().doesNotHaveDuplicates();
    for (int n = 0; n < outcomes.size(); n++) {
      switch (outcomes.get(n)) {
        case "accepted" -> assertThat(heard).contains(n);
        case "not_sent" -> assertThat(heard).doesNotContain(n);
        default -> {}
      }
    }
    assertThat(outcomes).contains("accepted", "not_sent");
  }

  /**
   * Where numbers are missing a gap was told: at the loss, and again, ahead of newer messages, when
   * the connection is back. In between nothing comes.
   */
  @Test
  void nothingIsLostUntoldWhileMessagesFlow() throws Exception {
    ConversationBus bob = participants.join("bob", network.url(), TestBus.FAST);
    List<Integer> events = new CopyOnWriteArrayList<>();
    int gap = -1;
    bob.follow(
        BY_PATTERN,
        new BusListener() {
          @Override
          public void onMessage(String channel, byte[] body) {
            events.add(Json.parseTrusted(body).at("/payload/n").asInt());
          }

          @Override
          public void onGap(Gap told) {
            events.add(gap);
          }
        });
    ConversationBus alice = participants.join("alice");
    int number = 0;
    for (Fault fault : List.of(Fault.CUT, Fault.HALF_CLOSE, Fault.SILENT)) {
      int toldBefore = count(events, gap);
      network.set(fault);
      while (count(events, gap) == toldBefore) {
        alice.send(message(++number));
      }
      network.set(Fault.NONE);
      int last = number;
      while (events.stream().noneMatch(event -> event > last)) {
        alice.send(message(++number));
      }
    }
    int before = 0;
    int gaps = 0;
    boolean told = false;
    for (int event : events) {
      if (event == gap) {
        gaps++;
        told = true;
      } else {
        assertThat(gaps % 2).as("%d between the loss and the return", event).isZero();
        assertThat(event).isGreaterThan(before);
        assertThat(told || event == before + 1).as("from %d to %d", before, event).isTrue();
        before = event;
        told = false;
      }
    }
  }

  private static int count(List<Integer> events, int wanted) {
    return (int) events.stream().filter(event -> event == wanted).count();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"SILENT", "SILENT_TO_CLIENT"})
  void aSilentLineIsGivenUpAndAllIsWellWhenItPassesAgain(Fault silence) throws Exception {
    ConversationBus alice = participants.join("alice", network.url(), TestBus.FAST);
    alice.subscribe(BY_NAME, handler);
    network.set(silence);
    CompletableFuture<SendResult> sent = alice.sendAsync(message(1));
    assertThat(outcome(sent.get())).isEqualTo("unknown");
    handler.awaitGap();
    network.set(Fault.NONE);
    awaitDelivery(alice);
  }

  @Test
  void whatIsGivenUpWhileRedisIsAwayIsNotSubscribedToWhenItIsBack() throws Exception {
    ConversationBus bob = participants.join("bob", network.url(), Timing.CONTRACT);
    RecordingHandler kept = new RecordingHandler();
    bob.subscribe(new ChannelPattern("mad.topic.kept"), kept);
    Subscription byName = bob.subscribe(BY_NAME, envelope -> {});
    Subscription byPattern = bob.subscribe(BY_PATTERN, envelope -> {});
    network.set(Fault.CUT);
    awaitUnusable(bob);
    byName.close();
    byPattern.close();
    network.set(Fault.NONE);
    awaitUsable(bob);
    try (RawRedis raw = redis.connect()) {
      Await.value("patterns", () -> raw.call("PUBSUB", "NUMPAT"), patterns -> patterns.equals("0"));
      Await.value(
          "subscribers of mad.topic.x",
          () -> raw.call("PUBSUB", "NUMSUB", "mad.topic.x"),
          reply -> reply.equals("[mad.topic.x, 0]"));
      assertThat(raw.call("PUBSUB", "NUMSUB", "mad.topic.kept")).isEqualTo("[mad.topic.kept, 1]");
    }
  }

  @Test
  void whoMayNotPublishAnyMoreIsNotUsableUntilAMessageIsTaken() throws Exception {
    try (RawRedis raw = redis.connect()) {
      raw.call("ACL", "SETUSER", "mute", "on", ">" + redis.password(), "+@all", "&mad.*");
      ConversationBus mute =
          participants.join("mute", redis.url().replace("//", "//mute@"), Timing.CONTRACT);
      raw.call("ACL", "SETUSER", "mute", "-publish");
      awaitRefusal(mute, 1);
      awaitProblem(mute, "refuses messages (NOPERM");
      assertThat(mute.connection().transport().isReceiving()).isTrue();
      raw.call("ACL", "SETUSER", "mute", "+publish");
      assertThat(outcome(mute.send(message(2)))).isEqualTo("accepted");
      assertThat(mute.connection().transport().problem()).isEmpty();
    }
  }

  @Test
  void aChangedPasswordKeepsItOutUntilItIsTheOldOneAgain() throws Exception {
    ConversationBus alice = participants.join("alice");
    alice.subscribe(BY_NAME, handler);
    try (RawRedis raw = redis.connect()) {
      raw.call("CONFIG", "SET", "requirepass", "another");
      raw.call("CLIENT", "KILL", "TYPE", "pubsub");
      raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      awaitRefusal(alice, 1);
      awaitProblem(alice, "refused the user name or password");
      raw.call("CONFIG", "SET", "requirepass", redis.password());
    }
    awaitDelivery(alice);
  }
}
