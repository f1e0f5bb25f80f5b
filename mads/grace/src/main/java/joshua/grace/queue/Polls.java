package joshua.grace.queue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Json;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The execution of polls: each waits for news of its queue and takes a page of it. */
public final class Polls {
  public static final int CUT_BYTES = 4 * 1024; // what a message that is cut takes, at most

  /** How long a poll waits at least for an earlier answer to be written, or mail to be fetched. */
  private static final Duration DELIVERED_WITHIN = Duration.ofSeconds(5);

  /** Two sessions that poll by one name would otherwise supersede each other without pause. */
  private static final Duration SUPERSEDED_AFTER = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Polls.class);

  private final ClientQueues queues;
  private final Fetcher fetcher;
  private volatile boolean completed; // changed under the lock of the queues

  public Polls(ClientQueues queues, Fetcher fetcher) {
    this.queues = queues;
    this.fetcher = fetcher;
  }

  /** Fetches a client's mail from the archivist into its queue, if some may be there. */
  @FunctionalInterface
  public interface Fetcher {
    void fetch(String clientId) throws InterruptedException;
  }

  /**
   * What a poll asks for: {@code most} messages of {@code mostBytes}, or one however large; one
   * with more than {@code cutBeyond} is cut.
   */
  public record Poll(
      String clientId,
      Optional<Cursor> cursor,
      Duration waitFor,
      int most,
      long mostBytes,
      long cutBeyond,
      Connection connection) {}

  /**
   * A slice of a queue.
   *
   * @param cut the message behind these, if that is too large; it stays in the queue
   * @param from the client's position before this
   * @param to the position after it
   * @param remaining how many wait behind these
   * @param again whether an earlier answer had these messages, which wasn't read
   */
  public record Page(
      List<QueuedMessage> messages,
      @Nullable QueuedMessage cut,
      Cursor from,
      Cursor to,
      int remaining,
      Optional<Loss> gap,
      boolean again) {
    Page withoutMessages() {
      return new Page(List.of(), null, from, to, remaining, gap, again);
    }
  }

  public sealed interface Outcome {
    /**
     * A page, empty if a newer poll supersedes this one; {@code overlaps} if another poll of its
     * name was under way. {@code written} is to be told whether the answer could be written.
     */
    record Answer(Page page, boolean overlaps, boolean superseded, Consumer<Boolean> written)
        implements Outcome {}

    record NotSubscribed(Optional<Loss> gap) implements Outcome {}
  }

  public Open begin(Poll poll) {
    try (var _ = queues.hold()) {
      return new Open(poll);
    }
  }

  /** Has the polls under way, and all later ones, answered at once with what there is. */
  public void completeAll() {
    try (var _ = queues.hold()) {
      completed = true;
      queues.byClient.values().forEach(queue -> queue.changed.signalAll());
    }
  }

  public boolean areCompleted() {
    return completed;
  }

  /** Makes a queue for what is sent to a client that has none; it polls when it has subscribed. */
  public void prepare(String clientId, boolean busIsAway, Connection connection) {
    ChannelPattern own = ChannelPattern.exactly(Channel.direct(clientId));
    List<ChannelPattern> topics = List.of(own, ChannelPattern.exactly(Channel.BROADCAST));
    ReadingRights rights = new ReadingRights(false, false); // its own are known when it subscribes
    try (var _ = queues.hold()) {
      if (queues.byClient.get(clientId) == null) {
        queues.subscribe(clientId, topics, Optional.empty(), busIsAway, connection, rights);
        queues.queueOrEnded(clientId, connection).subscribed = false;
      }
    }
  }

  /** What a poll would get, which stays there: nothing is released, and nobody present by this. */
  public Outcome look(Poll poll) {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(poll.clientId());
      return queue == null
          ? new Outcome.NotSubscribed(Optional.empty())
          : new Outcome.Answer(
              queue.reader.page(poll, Optional.empty(), false), false, false, _ -> {});
    }
  }

  /** Waits for the bell of a client, unless it has no queue; without a holder this only looks. */
  public Bell.Ring awaitBell(String clientId, @Nullable UUID holder, Duration most)
      throws InterruptedException {
    try (var _ = queues.hold()) {
      ClientQueue queue = queues.byClient.get(clientId);
      return queue == null
          ? Bell.Ring.NONE
          : holder == null
              ? queue.bell.ring(true)
              : queue.bell.await(holder, most, this::areCompleted);
    }
  }

  public final class Open {
    private final Poll poll;
    private final ClientQueue queue;
    private final QueueReader reader;
    private final Optional<Loss> foreign;
    private final boolean overlaps;
    private final long end;
    private final boolean atOnce;

    private Open(Poll poll) {
      this.poll = poll;
      queue = queues.queueOrEnded(poll.clientId(), poll.connection());
      reader = queue.reader;
      foreign = reader.acknowledge(poll.cursor());
      overlaps = reader.openPolls > 0;
      reader.begin(poll, this);
      end = queues.nanoTime.getAsLong() + poll.waitFor().toNanos();
      atOnce =
          isOver()
              || (!queue.backlog.canFetch()
                  && (hasAnswer() || (poll.waitFor().isZero() && !isBusy())));
    }

    /** The outcome where that needs no waiting; a cancellation where the caller has gone. */
    public Optional<Outcome> atOnce() {
      return atOnce ? Optional.of(close()) : Optional.empty();
    }

    /** Waits until what was sent before has arrived, then for the outcome; see {@link #atOnce}. */
    public Outcome await(Future<?> arrived) throws InterruptedException, ExecutionException {
      try {
        arrived.get();
        while (awaitNews()) {
          fetcher.fetch(poll.clientId());
        }
      } catch (InterruptedException | ExecutionException e) {
        try (var _ = queues.hold()) {
          reader.endPoll();
        }
        throw e;
      }
      return close();
    }

    /** Whether mail is to be fetched before there is an answer. */
    private boolean awaitNews() throws InterruptedException {
      try (var _ = queues.hold()) {
        long delivered = queues.nanoTime.getAsLong() + DELIVERED_WITHIN.toNanos();
        while (!isOver() && !isSuperseded() && !hasAnswer() && !queue.backlog.canFetch()) {
          long left = (isBusy() ? Math.max(delivered, end) : end) - queues.nanoTime.getAsLong();
          if (left <= 0) {
            return false;
          }
          var _ = queue.changed.awaitNanos(left);
        }
        long left = isSuperseded() ? SUPERSEDED_AFTER.toNanos() : 0;
        while (left > 0 && !isOver()) {
          left = queue.changed.awaitNanos(left);
        }
        return !isOver() && !isSuperseded() && queue.backlog.canFetch();
      }
    }

    private boolean isOver() {
      return completed || queue.gone;
    }

    /** Whether an earlier answer is being written, or mail is being fetched. */
    private boolean isBusy() {
      return reader.isWriting() || queues.handover.isFetching(queue);
    }

    private boolean isSuperseded() {
      return reader.latest != this;
    }

    private boolean hasAnswer() {
      return foreign.isPresent() || (!reader.isWriting() && reader.hasNews(poll));
    }

    private Outcome close() {
      Connection connection = poll.connection();
      boolean callerHasGone = connection.isGone(); // may ask the system: under no lock
      if (callerHasGone && connection.whole().isGone()) {
        connection.whole().close(); // or the client would count as present until it is
      }
      try (var _ = queues.hold()) {
        reader.endPoll();
        if (callerHasGone) {
          throw new CancellationException("the caller has gone");
        }
        return queue.gone ? notSubscribed() : answer();
      }
    }

    private Outcome notSubscribed() {
      Optional<Loss> gap = queues.loss(poll.clientId(), poll.cursor());
      gap.ifPresent(loss -> queues.losses().told(poll.clientId(), loss));
      return new Outcome.NotSubscribed(gap.or(() -> queues.lossByStart(poll.clientId())));
    }

    private Outcome answer() {
      boolean superseded = isSuperseded();
      if (superseded || reader.isWriting()) {
        Cursor at = poll.cursor().orElse(reader.reached);
        Page none =
            new Page(List.of(), null, at, at, queue.messages.size(), Optional.empty(), false);
        return new Outcome.Answer(none, superseded, superseded, _ -> {});
      }
      Page page = reader.page(poll, foreign, true);
      queue.bell.given(page.to().sequence());
      boolean takes = poll.cursor().isEmpty() && reader.take(page);
      return new Outcome.Answer(page, overlaps, false, written -> delivered(page, takes, written));
    }

    private void delivered(Page page, boolean takes, boolean written) {
      if (written && log.isDebugEnabled()) {
        for (QueuedMessage message : page.messages()) {
          JsonNode envelope = Json.parseTrusted(message.body);
          String id = envelope.path("message_id").asText();
          String correlation = envelope.path("correlation_id").asText();
          log.debug(
              "delivered to {}: message {}, correlation id {}", poll.clientId(), id, correlation);
        }
      }
      try (var _ = queues.hold()) {
        if (written) {
          queue.receipts(page.messages(), false);
          reader.countTold(page.gap());
        } else {
          queue.bell.given(0);
        }
        if (takes) {
          reader.written(page, poll.connection(), written);
        }
      }
    }
  }
}
