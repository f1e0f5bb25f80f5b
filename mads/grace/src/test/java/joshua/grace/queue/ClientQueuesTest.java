package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.ClientQueues.Subscribed;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.network.Connection;
import org.junit.jupiter.api.Test;

/** Clients, what waits for them, and what they are told of losses; by a clock that stands. */
class ClientQueuesTest extends QueueFixture {
  private static Loss overflow(long missed, int second) {
    return new Loss(missed, Loss.Reason.OVERFLOW, NOON.plusSeconds(second));
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
    TestMessages.deliver(queues, X, "123456", NOON.plusSeconds(1));
    TestMessages.deliver(queues, X, "78901", "bob", NOON.plusSeconds(2), "ann"::equals);
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
    assertThat(texts(take("ann"))).isEmpty();
    assertThat(queues.waitingMessages()).isZero();
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
    FutureTask<Outcome> poll =
        new FutureTask<>(() -> waiting.await(CompletableFuture.completedFuture(null)));
    Thread.startVirtualThread(poll);
    time.advance(Duration.ofSeconds(1));
    subscribe("bob");
    announced();
    subscribe("cid");
    assertThat(announced()).hasSize(2).last().asString().startsWith("bob leave: evicted");
    assertThat(queues.drop("ann")).isTrue();
    assertThat(queues.drop("ann")).isFalse();
    assertThat(poll.get()).isInstanceOf(Outcome.NotSubscribed.class);
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
        restarted.subscribe(
            "ann", List.of(ChannelPattern.ALL), cursor("ann", anew.cursor()), false, socket, ALL);
    assertThat(there.gap().map(Loss::reason)).contains(Loss.Reason.RESTART);
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
}
