package joshua.grace.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import joshua.grace.queue.ClientQueue.Page;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The polls of clients: each waits for news of its queue and takes a page of it.
 *
 * <p>A caller that has gone takes nothing. With a cursor nothing leaves the queue until the next
 * cursor says that it has come; without one a page leaves it when the answer has been written.
 */
public final class Polls {
  /** How long the answer of an earlier poll may take to be written before a later one gives up. */
  private static final Duration DELIVERED_WITHIN = Duration.ofSeconds(5);

  /** Two sessions that poll by one name would otherwise supersede each other without pause. */
  private static final Duration SUPERSEDED_AFTER = Duration.ofSeconds(1);

  /** What answers took that may turn out to be unread; what is beyond counts as read. */
  private static final long MAX_TAKEN_BYTES = 64L << 20;

  private final ClientQueues queues;
  private long takenBytes; // guarded by the lock of the queues

  public Polls(ClientQueues queues) {
    this.queues = queues;
  }

  /**
   * What a poll asks for.
   *
   * @param most messages
   * @param mostBytes of messages; one is given however large it is
   */
  public record Poll(
      String clientId,
      Optional<String> cursor,
      Duration waitFor,
      int most,
      long mostBytes,
      Connection connection) {}

  /** The outcome of a poll. */
  public sealed interface Outcome {
    /**
     * An answer.
     *
     * @param messages their exact bytes
     * @param remaining how many wait after these
     * @param overlaps whether another poll of this name was under way
     * @param again whether an earlier answer had these messages, which wasn't read
     * @param superseded whether a newer poll gets the messages in place of this one
     * @param written to be told whether the answer could be written
     */
    record Answer(
        List<byte[]> messages,
        String cursor,
        int remaining,
        Optional<Loss> gap,
        boolean overlaps,
        boolean again,
        boolean superseded,
        Consumer<Boolean> written)
        implements Outcome {}

    /** There is no queue of that name. */
    record NotSubscribed(Optional<Loss> gap) implements Outcome {}
  }

  /** A poll under way. */
  private record Open(
      Poll poll, ClientQueue queue, long number, Optional<Loss> foreign, boolean overlaps) {
    boolean isSuperseded() {
      return !queue.isLatestPoll(number);
    }

    boolean hasAnswer() {
      return foreign.isPresent() || (!queue.isDelivering() && queue.hasNews());
    }
  }

  /**
   * Polls where that needs no waiting; otherwise nothing has happened, but that what the cursor
   * acknowledges is released.
   *
   * @throws CancellationException where the caller has gone
   */
  public Optional<Outcome> pollAtOnce(Poll poll) {
    Optional<Open> open;
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.queueOf(poll.clientId());
      if (queue != null) {
        queues.earlier.position(queue, poll.cursor()).ifPresent(queue::acknowledge);
        boolean busy = queue.openPolls() > 0 || queue.isDelivering();
        if (busy || (!poll.waitFor().isZero() && !queue.hasNews())) {
          return Optional.empty();
        }
      }
      open = open(poll);
    }
    return Optional.of(close(poll, open));
  }

  /**
   * Polls.
   *
   * @throws CancellationException where the caller has gone meanwhile
   */
  public Outcome poll(Poll poll) throws InterruptedException {
    Optional<Open> open;
    try (var _ = queues.hold()) {
      open = open(poll);
      if (open.isPresent()) {
        await(open.get());
      }
    }
    return close(poll, open);
  }

  private Optional<Open> open(Poll poll) {
    ClientQueue queue = queues.queueOf(poll.clientId());
    if (queue == null) {
      return Optional.empty();
    }
    queues.earlier.position(queue, poll.cursor()).ifPresent(queue::acknowledge);
    Optional<Loss> foreign = queues.earlier.foreignLoss(queue, poll.cursor());
    boolean overlaps = queue.openPolls() > 0;
    long number = queue.beginPoll(poll.connection());
    return Optional.of(new Open(poll, queue, number, foreign, overlaps));
  }

  private Outcome close(Poll poll, Optional<Open> open) {
    boolean callerHasGone = poll.connection().isGone(); // may ask the system: under no lock
    if (callerHasGone && poll.connection().whole().isGone()) {
      poll.connection().whole().close(); // or the client would count as present until it is
    }
    try (var _ = queues.hold()) {
      open.ifPresent(begun -> begun.queue().endPoll());
      if (callerHasGone) {
        throw new CancellationException("the caller has gone");
      }
      return open.filter(begun -> !begun.queue().isGone())
          .map(this::answer)
          .orElseGet(() -> notSubscribed(poll));
    }
  }

  private Outcome notSubscribed(Poll poll) {
    Optional<Loss> gap = queues.earlier.loss(poll.clientId(), poll.cursor());
    queues.losses().told(poll.clientId(), gap);
    return new Outcome.NotSubscribed(gap);
  }

  private long now() {
    return queues.nanoTime.getAsLong();
  }

  private void await(Open open) throws InterruptedException {
    ClientQueue queue = open.queue();
    long end = now() + open.poll().waitFor().toNanos();
    long delivered = now() + DELIVERED_WITHIN.toNanos();
    try {
      while (!queue.isGone() && !open.isSuperseded() && !open.hasAnswer()) {
        long left = (queue.isDelivering() ? delivered : end) - now();
        if (left <= 0) {
          return;
        }
        var _ = queue.changed.awaitNanos(left);
      }
      long left = open.isSuperseded() ? SUPERSEDED_AFTER.toNanos() : 0;
      while (left > 0 && !queue.isGone()) {
        left = queue.changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      queue.endPoll();
      throw e;
    }
  }

  private Outcome answer(Open open) {
    ClientQueue queue = open.queue();
    Poll poll = open.poll();
    boolean superseded = open.isSuperseded();
    if (superseded || queue.isDelivering()) {
      return new Outcome.Answer(
          List.of(),
          poll.cursor().orElseGet(() -> queues.earlier.cursor(queue, queue.reached())),
          queue.size(),
          Optional.empty(),
          superseded,
          false,
          superseded,
          written -> {});
    }
    Page page = queue.page(poll.most(), poll.mostBytes());
    boolean takes =
        poll.cursor().isEmpty() && (!page.messages().isEmpty() || page.gap().isPresent());
    queue.setDelivering(takes);
    return new Outcome.Answer(
        page.messages(),
        queues.earlier.cursor(queue, page.position()),
        page.remaining(),
        open.foreign().or(page::gap),
        open.overlaps(),
        page.again(),
        false,
        written -> delivered(open, takes ? page : null, written));
  }

  /** Has an answer come again if its caller's connection is found to have been reset. */
  private void keep(ClientQueue queue, Page page, Connection connection) {
    long size = page.bytes();
    if (queue.isGone() || takenBytes + size > MAX_TAKEN_BYTES) {
      return;
    }
    takenBytes += size;
    queue.setTaken(page);
    Runnable stop = connection.whenReset(() -> unread(queue, page)); // at once, where it has been
    queue.whenTakenIsForgotten(() -> {
      takenBytes -= size;
      stop.run();
    });
  }

  private void unread(ClientQueue queue, Page page) {
    try (var _ = queues.hold()) {
      queue.unread(page);
    }
  }

  /** An answer was written, or not; that its caller has closed since means nothing. */
  private void delivered(Open open, @Nullable Page taken, boolean written) {
    try (var _ = queues.hold()) {
      ClientQueue queue = open.queue();
      if (written) {
        queues.losses().told(queue.clientId, open.foreign().or(queue::newGap));
      }
      if (taken != null) {
        queue.setDelivering(false);
        if (written) {
          queue.acknowledge(taken.position());
          keep(queue, taken, open.poll().connection());
        }
      }
    }
  }
}
