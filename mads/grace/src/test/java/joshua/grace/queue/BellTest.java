package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import joshua.conversation.OutgoingMessage;
import joshua.grace.queue.Bell.Ring;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.grace.queue.Polls.Poll;
import joshua.kernel.MonotonicIds;
import joshua.network.AddressDefaults;
import joshua.network.Connection;
import joshua.testing.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a client is to be told that something waits; by a clock that stands. */
class BellTest extends QueueFixture {
  private static final Duration LONG = Duration.ofDays(1);

  private Runnable reset = () -> {};
  private final MonotonicIds ids = new MonotonicIds(time);
  private final UUID holder = ids.next();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(500, 2, 1L << 30);
  }

  @Override
  Connection connection() {
    return new Connection(
        "socket",
        () -> false,
        action -> {
          reset = action;
          return () -> {};
        },
        AddressDefaults.NONE);
  }

  @BeforeEach
  void subscribeAnn() {
    subscribeToMail("ann");
  }

  private String subscribeToMail(String client) {
    return subscribe(client, null, "mad.direct." + client).cursor();
  }

  private void deliver(String client, String... senders) {
    for (String sender : senders) {
      String channel = "mad.direct." + client;
      TestMessages.deliver(queues, channel, sender, sender, time.instant(), _ -> true);
    }
  }

  private Ring look(@Nullable UUID by) throws Exception {
    return polls.awaitBell("ann", by, Duration.ZERO);
  }

  private boolean isDue() throws Exception {
    return look(holder).due();
  }

  private Future<Ring> await(String client, UUID by) {
    return threads.submit(() -> polls.awaitBell(client, by, LONG));
  }

  private void isHeld(String client) {
    Await.until(
        "somebody waits",
        () -> {
          try (var _ = queues.hold()) {
            ClientQueue queue = queues.byClient.get(client);
            return queue != null && queue.bell.isHeld();
          }
        });
  }

  /** How many seconds pass before it rings again. */
  private int pause() throws Exception {
    for (int seconds = 0; ; seconds++) {
      if (isDue()) {
        return seconds;
      }
      time.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void whatIsNotCollectedIsToldLessAndLessOften() throws Exception {
    assertThat(isDue()).isFalse();
    deliver("ann", "bob", "cid");
    Ring first = look(holder);
    assertThat(first.due()).isTrue();
    assertThat(first.waiting()).isEqualTo(2);
    assertThat(first.from()).as("the oldest").isEqualTo("bob");
    assertThat(List.of(pause(), pause(), pause(), pause(), pause(), pause(), pause()))
        .containsExactly(30, 60, 120, 240, 300, 300, 300);
    time.advance(Duration.ofSeconds(30));
    deliver("ann", "bob");
    assertThat(pause()).as("something new").isZero();
    for (int i = 0; i < 200; i++) {
      deliver("ann", "bob");
      assertThat(isDue()).isFalse();
    }
    assertThat(List.of(pause(), pause(), pause())).containsExactly(30, 30, 60);
  }

  private boolean isTold() {
    return presence.view("ann").orElseThrow().isTold();
  }

  /** So that no runner begins beside a window that is being woken. */
  @Test
  void aClientIsBeingToldUntilAPollOrForHalfAMinute() throws Exception {
    String cursor = subscribeToMail("ann");
    Future<Ring> ring = await("ann", holder);
    isHeld("ann");
    assertThat(isTold()).as("of nothing").isFalse();
    deliver("ann", "bob");
    assertThat(isTold()).isTrue();
    assertThat(ring.get().due()).isTrue();
    assertThat(isTold()).isTrue();
    time.advance(Duration.ofSeconds(31));
    assertThat(isTold()).as("it didn't come").isFalse();
    Answer answer = (Answer) poll("ann", cursor);
    await("ann", ids.next());
    isHeld("ann");
    assertThat(isTold()).as("an answer gave it").isFalse();
    answer.written().accept(true);
  }

  @Test
  void aPollResetsItAndWhatItGaveIsToldNoMore() throws Exception {
    String cursor = subscribeToMail("ann");
    deliver("ann", "bob");
    assertThat(isDue()).isTrue();
    Answer answer = (Answer) poll("ann", cursor);
    assertThat(isDue()).isFalse();
    deliver("ann", "cid");
    Ring second = look(holder);
    assertThat(second.due()).as("at once, since the first was given").isTrue();
    assertThat(second.waiting()).isEqualTo(1);
    assertThat(second.from()).isEqualTo("cid");
    answer = (Answer) poll("ann", answer.page().to().toString());
    assertThat(look(null)).isEqualTo(Ring.NONE);
    assertThat(presence.unread()).as("it is there until acknowledged, but read").isEmpty();
    assertThat(presence.views().getFirst().waiting()).isZero();
    assertThat(((Answer) poll("ann", cursor)).page().messages()).hasSize(1);
    time.advance(Duration.ofHours(1));
    assertThat(isDue()).isFalse();
    deliver("ann", "bob");
    answer.written().accept(false);
    assertThat(look(holder).waiting()).as("lost on its way").isEqualTo(2);
  }

  @Test
  void anAnswerThatWasNotWrittenOrNotReadGaveNothing() throws Exception {
    deliver("ann", "bob");
    Answer lost = (Answer) poll("ann", null);
    assertThat(isDue()).isFalse();
    lost.written().accept(false);
    assertThat(isDue()).isTrue();
    take("ann");
    assertThat(isDue()).isFalse();
    reset.run();
    assertThat(isDue()).as("it was unread").isTrue();
    take("ann");
    time.advance(Duration.ofHours(1));
    assertThat(isDue()).isFalse();
  }

  @Test
  void sendersLearnThatItWakesAndItKeepsItsPlace() throws Exception {
    deliver("ann", "bob");
    assertThat(isDue()).isTrue();
    Future<Ring> waits = await("ann", holder);
    isHeld("ann");
    assertThat(presence.addressee("ann", "mad.direct.ann").orElseThrow())
        .extracting(AddresseeState::state, AddresseeState::wakes)
        .containsExactly(AddresseeState.State.QUEUED, true);
    take("ann");
    assertThat(presence.addressee("ann", "mad.direct.ann").orElseThrow())
        .as("it has polled, and doesn't any more")
        .extracting(AddresseeState::state, AddresseeState::wakes)
        .containsExactly(AddresseeState.State.PRESENT, true);
    time.advance(Duration.ofHours(1));
    said.clear();
    presence.tick();
    assertThat(said).isEmpty();
    subscribeToMail("bob");
    time.advance(Duration.ofHours(1));
    subscribeToMail("cid"); // there is room for two
    assertThat(presence.views()).extracting(view -> view.clientId()).containsExactly("ann", "cid");
    polls.completeAll();
    waits.get();
    assertThat(presence.addressee("ann", "mad.direct.ann").orElseThrow().wakes()).isNull();
  }

  @Test
  void whoeverWaitsMakesAQueueThatItsClientHasStillToSubscribeTo() throws Exception {
    queues.drop("ann");
    assertThat(look(holder)).isEqualTo(Ring.NONE);
    polls.prepare("ann", false, socket);
    said.clear();
    presence.called("ann", "back");
    assertThat(said).extracting(OutgoingMessage::sender).containsExactly("ann");
    Future<Ring> waits = await("ann", holder);
    isHeld("ann");
    deliver("ann", "bob");
    assertThat(waits.get().due()).isTrue();
    assertThat(poll("ann", null)).isInstanceOf(Outcome.NotSubscribed.class);
    String cursor = subscribeToMail("ann");
    assertThat(((Answer) poll("ann", cursor)).page().messages()).hasSize(1);
    polls.prepare("ann", false, socket);
    assertThat(poll("ann", cursor)).isInstanceOf(Answer.class);
  }

  @Test
  void aWaitEndsWithTheQueueAndWithTheRelay() throws Exception {
    Future<Ring> dropped = await("ann", holder);
    isHeld("ann");
    queues.drop("ann");
    assertThat(dropped.get()).isEqualTo(Ring.NONE);
    subscribeToMail("ann");
    Future<Ring> stopped = await("ann", holder);
    isHeld("ann");
    polls.completeAll();
    assertThat(stopped.get().due()).isFalse();
    Poll late = new Poll("ann", Optional.empty(), LONG, 9, 9, 9, socket);
    assertThat(polls.begin(late).atOnce()).as("nor does a poll wait then").isPresent();
  }

  @Test
  void whatAPollGetsRingsForNobodyElse() throws Exception {
    Future<Ring> waits = await("ann", holder);
    isHeld("ann");
    Polls.Open open = polls.begin(new Poll("ann", Optional.empty(), LONG, 9, 1_000, 1_000, socket));
    Future<Outcome> polled =
        threads.submit(() -> open.await(CompletableFuture.completedFuture(null)));
    deliver("ann", "bob");
    ((Answer) polled.get()).written().accept(true);
    polls.completeAll();
    assertThat(waits.get()).isEqualTo(Ring.NONE);
  }
}
