package joshua.grace.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.conversation.BusIdentity;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.AddresseeState.State;
import joshua.grace.queue.ClientQueues.SubscribeOutcome;
import joshua.grace.queue.ClientQueues.SubscribeOutcome.Subscribed;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.grace.queue.Polls.Poll;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Clients, what waits for them, and what they are told of losses; by a clock that stands. */
class ClientQueuesTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final Instant NOW = NOON.plusSeconds(1_000);
  private static final String X = "mad.topic.x";

  private final ManualTime time = new ManualTime(NOW);
  private final ClientQueues queues = queues("a1");
  private final Polls polls = new Polls(queues);
  private final List<OutgoingMessage> said = new ArrayList<>();
  private final ClientPresence presence =
      new ClientPresence(queues, new BusIdentity("grace", "i", "1", NOW), said::add);
  private final Connection socket = new Connection("socket", () -> false);

  private static final ReadingRights ALL = new ReadingRights(true, true);

  /** Three messages a client, two clients, ten bytes. */
  private ClientQueues queues(String epoch) {
    return new ClientQueues(epoch, new ClientQueues.Limits(3, 2, 10), time, time::nanoTime);
  }

  private Subscribed subscribe(String client, @Nullable String cursor, String... topics) {
    SubscribeOutcome outcome =
        queues.subscribe(
            client,
            Stream.of(topics).map(ChannelPattern::new).toList(),
            cursor(client, cursor),
            false,
            socket,
            ALL);
    presence.called(client, "subscribed");
    return (Subscribed) outcome;
  }

  /** What has been announced since it was last asked. */
  private List<String> announced() {
    List<String> announced =
        said.stream()
            .map(message ->
                "%s %s: %s, %s"
                    .formatted(
                        message.sender(),
                        message.payload().path("event").asText(),
                        message.payload().path("reason").asText(),
                        message.payload().path("away").asBoolean() ? "away" : "-"))
            .toList();
    said.clear();
    return announced;
  }

  private Subscribed subscribe(String client) {
    return subscribe(client, null, X);
  }

  private void deliver(int... seconds) {
    for (int second : seconds) {
      TestMessages.deliver(
          queues,
          X,
          Integer.toString(second).getBytes(UTF_8),
          "bob",
          NOON.plusSeconds(second),
          _ -> true);
    }
  }

  private static Optional<Cursor> cursor(String client, @Nullable String text) {
    return Optional.ofNullable(text).map(it -> Cursor.parse(client, it).orElseThrow());
  }

  private Outcome poll(String client, @Nullable String cursor) {
    return polls.begin(request(client, cursor, Duration.ZERO, socket)).atOnce().orElseThrow();
  }

  private static Poll request(
      String client, @Nullable String cursor, Duration wait, Connection connection) {
    return new Poll(client, cursor(client, cursor), wait, 100, 100, Long.MAX_VALUE, connection);
  }

  private static List<String> texts(Outcome outcome) {
    return ((Answer) outcome)
        .page().messages().stream().map(message -> new String(message.body(), UTF_8)).toList();
  }

  /** A poll without a cursor whose answer is written. */
  private Answer take(String client) {
    Answer answer = (Answer) poll(client, null);
    answer.written().accept(true);
    return answer;
  }

  private static Loss overflow(long missed, int second) {
    return new Loss(missed, Loss.Reason.OVERFLOW, NOON.plusSeconds(second));
  }

  @Test
  void anAnswerThatCouldNotBeWrittenTakesNothing() {
    subscribe("ann");
    deliver(1, 2);
    Answer lost = (Answer) poll("ann", null);
    assertThat(texts(lost)).containsExactly("1", "2");
    lost.written().accept(false);
    assertThat(texts(take("ann"))).containsExactly("1", "2");
    assertThat(texts(take("ann"))).isEmpty();
  }

  @Test
  void whatIsDroppedIsToldFromTheFirstOneUntilAnAnswerHasArrived() {
    subscribe("ann");
    deliver(1, 2, 3, 4, 5);
    Answer lost = (Answer) poll("ann", null);
    assertThat(lost.page().gap()).contains(overflow(2, 1));
    lost.written().accept(false);
    assertThat(take("ann").page().gap()).contains(overflow(2, 1));
    assertThat(take("ann").page().gap()).isEmpty();
    deliver(6, 7, 8, 9);
    assertThat(take("ann").page().gap()).contains(overflow(1, 6));
    assertThat(queues.losses().take().told()).containsEntry(Loss.Reason.OVERFLOW, 2);
  }

  @Test
  void aLaterCursorReleasesAndAnOlderOneUndoesNothing() {
    String none = subscribe("ann").cursor();
    deliver(1, 2);
    Answer first = (Answer) poll("ann", none);
    assertThat(texts(poll("ann", none))).containsExactly("1", "2");
    deliver(3, 4);
    Answer second = (Answer) poll("ann", first.page().to().toString());
    assertThat(second.page().gap()).as("1 was dropped after it had been returned").isEmpty();
    assertThat(texts(second)).containsExactly("3", "4");
    assertThat(texts(poll("ann", none))).containsExactly("3", "4");
    assertThat(((Answer) poll("ann", second.page().to().toString())).page().messages()).isEmpty();
  }

  @Test
  void aGapIsRepeatedUntilALaterCursorAcknowledgesIt() {
    String none = subscribe("ann").cursor();
    queues.broken(NOON.plusSeconds(20));
    Loss unknown = new Loss(null, Loss.Reason.RECONNECT, NOON.plusSeconds(20));
    assertThat(((Answer) poll("ann", none)).page().gap()).contains(unknown);
    Answer again = (Answer) poll("ann", none);
    assertThat(again.page().gap()).contains(unknown);
    assertThat(((Answer) poll("ann", again.page().to().toString())).page().gap()).isEmpty();
    assertThat(((Answer) poll("ann", none)).page().gap()).isEmpty();
  }

  @Test
  void beyondTheBytesTheOldestMessageGoesFromEveryQueueThatHasIt() {
    subscribe("ann");
    subscribe("bob");
    TestMessages.deliver(
        queues, X, "123456".getBytes(UTF_8), "bob", NOON.plusSeconds(1), _ -> true);
    TestMessages.deliver(
        queues, X, "78901".getBytes(UTF_8), "bob", NOON.plusSeconds(2), "ann"::equals);
    assertThat(take("ann"))
        .satisfies(answer -> {
          assertThat(texts(answer)).containsExactly("78901");
          assertThat(answer.page().gap()).contains(overflow(1, 1));
        });
    assertThat(take("bob"))
        .satisfies(answer -> {
          assertThat(answer.page().messages()).isEmpty();
          assertThat(answer.page().gap()).contains(overflow(1, 1));
        });
    assertThat(queues.waitingMessages()).isZero();
  }

  @Test
  void aClientWhosePollHasDiedIsNotPresentAndLosesNothing() {
    subscribe("ann");
    poll("ann", null);
    assertThat(state("ann")).isEqualTo("present");
    deliver(5);
    Poll dead = request("ann", null, Duration.ZERO, new Connection("dead", () -> true));
    assertThatThrownBy(() -> polls.begin(dead).atOnce()).isInstanceOf(CancellationException.class);
    assertThat(state("ann")).isNotEqualTo("present");
    assertThat(texts(poll("ann", null))).containsExactly("5");
  }

  private String state(String client) {
    return presence.view(client).orElseThrow().state();
  }

  @Test
  void theClientUsedLeastRecentlyGoesAndIsToldWhenItPolls() {
    subscribe("ann");
    time.advance(Duration.ofSeconds(1));
    subscribe("bob");
    deliver(5);
    time.advance(Duration.ofSeconds(1));
    announced();
    presence.called("ann", "back");
    subscribe("cid");
    assertThat(announced())
        .containsExactly(
            "cid join: subscribed, -",
            "bob leave: evicted: other clients were used more recently, -");
    Loss evicted = new Loss(null, Loss.Reason.EVICTED, NOON.plusSeconds(5));
    assertThat(poll("bob", null)).isEqualTo(new Outcome.NotSubscribed(Optional.of(evicted)));
    assertThat(subscribe("bob").gap()).contains(evicted);
    assertThat(take("bob").page().gap()).contains(evicted);
    assertThat(take("bob").page().gap()).isEmpty();
  }

  @Test
  void aClientThatWaitsIsNotTheOneToGo() throws Exception {
    subscribe("ann");
    Connection patient = new Connection("patient", () -> false);
    Polls.Open waiting = polls.begin(request("ann", null, Duration.ofHours(1), patient));
    Thread poll =
        Thread.ofVirtual()
            .start(() -> {
              try {
                waiting.await(CompletableFuture.completedFuture(null));
              } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
              }
            });
    time.advance(Duration.ofSeconds(1));
    subscribe("bob");
    announced();
    subscribe("cid");
    assertThat(announced()).hasSize(2).last().asString().startsWith("bob leave: evicted");
    assertThat(queues.drop("ann")).isTrue();
    assertThat(queues.drop("ann")).isFalse();
    poll.join();
  }

  @Test
  void aClientThatMayReadLessLosesItsQueueAndLeaves() {
    subscribe("ann");
    subscribe("bob", null, "mad.stream.*");
    announced();
    queues.restrict("ann", ALL);
    queues.restrict("bob", ALL);
    presence.announceLeft();
    assertThat(announced()).isEmpty();
    queues.restrict("ann", new ReadingRights(false, true));
    queues.restrict("bob", new ReadingRights(true, false));
    presence.announceLeft();
    assertThat(announced())
        .containsExactly(
            "ann leave: its client may read less than before, -",
            "bob leave: its client may read less than before, -");
  }

  @Test
  void aCursorOfAnotherRunTellsOfARestartAndOneOfAnEarlierQueueOfAnEviction() {
    String old = subscribe("ann").cursor();
    queues.drop("ann");
    Subscribed anew = subscribe("ann", old, X);
    assertThat(anew.gap().map(Loss::reason)).contains(Loss.Reason.EVICTED);
    assertThat(((Answer) poll("ann", old)).page().gap().map(Loss::reason))
        .contains(Loss.Reason.EVICTED);
    assertThat(((Answer) poll("ann", anew.cursor())).page().gap()).isEmpty();

    ClientQueues restarted = queues("b2");
    Subscribed there =
        (Subscribed)
            restarted.subscribe(
                "ann",
                List.of(ChannelPattern.ALL),
                cursor("ann", anew.cursor()),
                false,
                socket,
                ALL);
    assertThat(there.gap().map(Loss::reason)).contains(Loss.Reason.RESTART);
  }

  @Test
  void whatWaitsWhenTheRelayEndsIsToldAndLost() {
    subscribe(ClientPresence.WATCHER + 1);
    assertThat(queues.topics().receivers(X, "bob")).as("of what it only watches").isZero();
    assertThat(queues.topics().followers()).isEmpty();
    subscribe("ann");
    assertThat(queues.topics().followers()).containsExactly(Map.entry(X, 1));
    assertThat(presence.unread()).isEmpty();
    deliver(1, 2);
    assertThat(presence.unread()).contains("2 messages wait unread for ann");
    presence.loseUnread();
    assertThat(queues.losses().take().losers())
        .containsExactly(new LossReport.Loser("ann", 2L, Loss.Reason.RESTART));
  }

  @Test
  void whoHasNoQueueIsToldOfTheStartForADay() {
    assertThat(poll("ann", null))
        .isEqualTo(
            new Outcome.NotSubscribed(Optional.of(new Loss(null, Loss.Reason.RESTART, NOW))));
    assertThat(queues.losses().take().losers()).as("it may be new").isEmpty();
    time.advance(Duration.ofHours(25));
    assertThat(poll("ann", null)).isEqualTo(new Outcome.NotSubscribed(Optional.empty()));
  }

  @Test
  void whatWaitsInAQueueThatIsDroppedIsALossEvenIfItsClientNeverPollsAgain() {
    subscribe("ann");
    subscribe("bob");
    deliver(1, 2);
    take("bob");
    queues.drop("ann");
    queues.drop("bob");
    assertThat(queues.losses().take().losers())
        .containsExactly(new LossReport.Loser("ann", 2L, Loss.Reason.EVICTED));
  }

  @Test
  void whoGaveItsQueueUpHasMissedNothing() {
    String cursor = subscribe("ann").cursor();
    assertThat(queues.unsubscribe("ann", List.of(new ChannelPattern(X)))).isEmpty();
    assertThat(poll("ann", cursor)).isEqualTo(new Outcome.NotSubscribed(Optional.empty()));
    assertThat(queues.topics().receivers(X, "bob")).isZero();
    assertThat(queues.unsubscribe("ann", List.of())).isNull();
  }

  @Test
  void silentClientsLeaveAndComeBackWithTheirQueue() {
    subscribe("ann");
    assertThat(announced()).containsExactly("ann join: subscribed, -");
    subscribe("ann");
    time.advance(Duration.ofSeconds(120));
    presence.tick();
    assertThat(announced()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    presence.tick();
    assertThat(announced()).containsExactly("ann leave: no call for 120 s, away");
    presence.tick();
    presence.somebodyJoined();
    presence.tick();
    assertThat(announced()).as("nor is it in a roster").isEmpty();
    deliver(1);
    presence.called("ann", "back");
    assertThat(announced()).containsExactly("ann join: back, -");
    presence.somebodyJoined();
    presence.tick();
    assertThat(said.getFirst().payload().path("clients").toString()).isEqualTo("[\"ann\"]");
    announced();
    assertThat(texts(take("ann"))).containsExactly("1");
    socket.close();
    time.advance(Duration.ofSeconds(31));
    presence.tick();
    assertThat(announced())
        .containsExactly("ann leave: its socket closed and it hasn't come back, away");
  }

  @Test
  void whoCameBackBeforeItsLeaveWasSaidHasNotLeft() {
    subscribe("ann");
    queues.drop("ann");
    announced();
    subscribe("ann");
    assertThat(announced()).containsExactly("ann join: subscribed, -");
    presence.tick();
    assertThat(announced()).isEmpty();
  }

  @Test
  void presentIsWhoHasPolledHalfAMinuteAgoByASocketThatIsStillOpen() {
    subscribe("ann");
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    take("ann");
    time.advance(Duration.ofSeconds(29));
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.PRESENT);
    time.advance(Duration.ofSeconds(1));
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    take("ann");
    socket.close();
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    assertThat(presence.addressee("ann", "mad.topic.y")).isEmpty();
    assertThat(presence.addressee("bob", X)).isEmpty();
  }

  private SubscribeOutcome follow(String client, String topic, int from, int to) {
    List<ChannelPattern> topics =
        IntStream.range(from, to).mapToObj(i -> new ChannelPattern(topic.formatted(i))).toList();
    return queues.subscribe(client, topics, Optional.empty(), false, socket, ALL);
  }

  @Test
  void topicsOfOneClientAreBounded() {
    assertThat(follow("ann", "mad.topic.%d", 0, ClientQueues.MAX_TOPICS + 1))
        .isInstanceOf(SubscribeOutcome.Full.class);
    assertThat(follow("ann", "mad.topic.%d", 0, ClientQueues.MAX_TOPICS))
        .isInstanceOf(Subscribed.class);
  }

  @Test
  void aClientCantTakeTheWildcardsOfOthers() {
    assertThat(follow("ann", "mad.topic.%d*", 0, TopicIndex.MAX_GLOBS_OF_CLIENT))
        .isInstanceOf(Subscribed.class);
    SubscribeOutcome refused =
        follow("ann", "mad.topic.%d*", 0, TopicIndex.MAX_GLOBS_OF_CLIENT + 1);
    assertThat(((SubscribeOutcome.Full) refused).why())
        .contains("ann would follow 101 wildcards", "at most 100", "unsubscribe some");
    assertThat(follow("ann", "mad.topic.%d", 0, 1)).isInstanceOf(Subscribed.class);
    assertThat(follow("bob", "mad.direct.%d*", 0, 1)).isInstanceOf(Subscribed.class);
    assertThat(queues.topics().receivers("mad.topic.100y", "bob")).isEqualTo(1); // by 1*, 10*
  }

  @Test
  void wildcardsOfAllClientsAreBounded() {
    ClientQueues many =
        new ClientQueues("a2", new ClientQueues.Limits(3, 100, 10), time, time::nanoTime);
    for (int i = 0; i < TopicIndex.MAX_GLOBS; i++) {
      List<ChannelPattern> glob = List.of(new ChannelPattern("mad.topic." + i + "*"));
      assertThat(many.subscribe("c" + i % 20, glob, Optional.empty(), false, socket, ALL))
          .isInstanceOf(Subscribed.class);
    }
    assertThat(
            many.subscribe(
                "bob", List.of(ChannelPattern.ALL), Optional.empty(), false, socket, ALL))
        .isInstanceOf(SubscribeOutcome.Full.class);
  }

  @Test
  void aQueueMadeWhileTheBusIsAwayBeginsWithAGap() {
    Subscribed away =
        (Subscribed)
            queues.subscribe(
                "ann", List.of(ChannelPattern.ALL), Optional.empty(), true, socket, ALL);
    assertThat(away.gap()).contains(new Loss(null, Loss.Reason.RECONNECT, NOW));
  }

  @Test
  void aWildcardTakesHousekeepingOnlyWhereItNamesIt() {
    subscribe("ann", null, "mad.*");
    assertThat(queues.topics().receivers("mad.direct.x", "bob")).isEqualTo(1);
    assertThat(queues.topics().receivers("mad.stream.x", "bob")).isZero();
    assertThat(queues.topics().receivers("mad.system.presence", "bob")).isZero();
    subscribe("ann", null, "mad.stream.*");
    assertThat(queues.topics().receivers("mad.stream.x", "bob")).isEqualTo(1);
  }
}
