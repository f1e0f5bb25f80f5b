package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import joshua.grace.queue.Handover.Receipt;
import joshua.grace.queue.Polls.Page;
import joshua.grace.queue.Polls.Poll;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of a client's queue: its position, its polls, and the state of the page that was
 * taken last. An answer without a cursor takes its page; one with a cursor takes nothing, and what
 * a cursor acknowledges leaves the queue.
 *
 * <pre>
 * event                 Idle      Writing                  Written
 * poll begins           -         -                        Idle if it proves the page read
 * page taken            Writing   (polls wait)             Writing
 * answer written        -         Written, page released   -
 * write failed          -         Idle                     -
 * reset found           -         -                        Idle, page unread
 * cursor acknowledges   -         -                        Idle if it covers the page
 * message added         -         -                        -
 * a minute passed       -         -                        Idle
 * too many bytes wait   -         -                        Written, without its messages
 * queue ended           -         Idle                     Idle
 * </pre>
 *
 * <p>A poll proves a page read that has no cursor and comes by the socket on which the page had
 * been written. An unread page returns to the front of the queue; messages of it that were given up
 * are a gap then. Guarded by the lock of {@link ClientQueues}.
 */
final class QueueReader {
  private static final Duration PRESENT_AFTER_POLL = Duration.ofSeconds(30);
  private static final Duration KEPT_FOR = Duration.ofMinutes(1);
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(5);
  private static final Head IDLE = new Head.Idle();

  private sealed interface Head {
    record Idle() implements Head {}

    record Writing(Page page) implements Head {}

    record Written(Page page, Connection by, long at) implements Head {}
  }

  private final ClientQueues queues;
  private final ClientQueue queue;
  private Head head = IDLE;
  private Runnable unwatch = () -> {};
  Cursor reached; // how far polls without a cursor, and releases by cursor, have come
  private long cutTold; // the number of a message that has been answered cut
  private List<String> unsettled = List.of(); // mail of the page written, yet to be collected
  private long unreadUntil; // messages up to this number come again
  private @Nullable Loss lastTold;
  @Nullable Object latest; // the poll that has begun last
  int openPolls;
  @Nullable Instant lastPollAt;
  private long lastPoll;
  @Nullable Connection polledBy;

  QueueReader(ClientQueues queues, ClientQueue queue) {
    this.queues = queues;
    this.queue = queue;
    this.lastPoll = queues.nanoTime.getAsLong();
    int client = queue.clientId.hashCode();
    Instant now = queues.time.instant();
    this.reached = new Cursor(queues.epoch, client, queue.number, 0, 0, now, false, null);
  }

  /** Begins a poll, which supersedes any earlier one that is still open. */
  void begin(Poll poll, Object self) {
    polledBy = poll.connection().whole();
    if (poll.cursor().isEmpty() && head instanceof Head.Written last && last.by == polledBy) {
      become(IDLE);
    }
    queue.usedBy = polledBy;
    queue.backlog.polled();
    lastPollAt = queues.time.instant();
    openPolls++;
    latest = self;
    polled();
  }

  void endPoll() {
    openPolls--;
    polled();
  }

  private void polled() {
    lastPoll = queues.nanoTime.getAsLong();
    queue.called();
    queue.changed.signalAll();
  }

  /** Takes a page; false if there is nothing in it. */
  boolean take(Page page) {
    boolean any =
        page.cut() != null || page.gap().isPresent() || page.to().sequence() > reached.sequence();
    if (any) {
      become(new Head.Writing(page));
    }
    return any;
  }

  /** The answer was written, or not; that its caller has closed since means nothing. */
  void written(Page page, Connection by, boolean written) {
    if (!(head instanceof Head.Writing(Page current)) || !current.equals(page)) {
      return; // the queue has ended
    }
    if (written) {
      page.messages().forEach(queues::held); // until the page is forgotten
      List<QueuedMessage> taken = release(page.to());
      become(new Head.Written(page, by.whole(), queues.nanoTime.getAsLong()));
      unsettled = queue.backlog.idsOfMail(taken);
      Cursor id = page.to(); // since the messages may be given up
      unwatch = by.whenReset(() -> reset(id)); // at once, where it has been
    } else {
      become(IDLE);
    }
    queue.changed.signalAll();
  }

  private void reset(Cursor id) {
    try (var _ = queues.hold()) {
      if (head instanceof Head.Written(Page page, _, _) && page.to().equals(id)) {
        unsettled = List.of();
        unreadUntil = queue.front - 1;
        reached = page.from();
        cutTold = 0;
        queue.putBack(page);
        become(IDLE);
        queue.bell.given(0);
      }
    }
  }

  void expire() {
    if (head instanceof Head.Written last) {
      long age = queues.nanoTime.getAsLong() - last.at;
      if (age > SETTLED_AFTER.toNanos()) {
        settle();
      }
      if (age > KEPT_FOR.toNanos()) {
        become(IDLE);
      }
    }
  }

  /** The mail of the page that was written counts as read. */
  void settle() {
    if (!unsettled.isEmpty()) {
      queues.handover.add(unsettled, new Receipt(queue.clientId, true));
      unsettled = List.of();
      queue.changed.signalAll(); // more may be fetched
    }
  }

  List<String> unsettled() {
    return unsettled;
  }

  /** A client has missed nothing, since an archivist gives it what it kept. */
  void forgive() {
    reached = behindTheGap();
    var _ = queue.release(reached);
  }

  /**
   * Releases what lies before a cursor, since its client has received it. One older than the
   * position reached undoes nothing; one of an earlier queue or run reveals a loss.
   */
  Optional<Loss> acknowledge(Optional<Cursor> cursor) {
    if (cursor.isPresent()) {
      Cursor told = cursor.get();
      if (told.queue() != queue.number || !told.epoch().equals(queues.epoch)) {
        return queues.loss(queue.clientId, cursor);
      }
      if (head instanceof Head.Written(Page page, _, _)
          && told.sequence() >= page.to().sequence()
          && told.breaks() >= page.to().breaks()) {
        become(IDLE);
      }
      queue.receipts(release(told), true);
    }
    return Optional.empty();
  }

  private List<QueuedMessage> release(Cursor told) {
    long last = queue.front - 1 + queue.messages.size();
    reached =
        reached
            .to(
                Math.max(Math.min(told.sequence(), last), reached.sequence()),
                Math.max(Math.min(told.breaks(), queue.breaks), reached.breaks()),
                told.since(),
                false)
            .having(told.mail());
    cutTold = told.cut() ? told.sequence() + 1 : cutTold;
    return queue.release(reached);
  }

  boolean isWriting() {
    return head instanceof Head.Writing;
  }

  void forgetPage() {
    become(IDLE);
  }

  private void become(Head next) {
    settle();
    unwatch.run();
    unwatch = () -> {};
    if (head instanceof Head.Written(Page page, _, _)) {
      page.messages().forEach(queues::released);
    }
    head = next;
  }

  /** Forgets the messages of the page that was written, if a message that is to go is in it. */
  void giveUp(QueuedMessage message) {
    if (head instanceof Head.Written(Page page, var by, long at)
        && page.messages().contains(message)) {
      page.messages().forEach(queues::released);
      head = new Head.Written(page.withoutMessages(), by, at);
    }
  }

  /**
   * The oldest messages: at most so many, and at most so many bytes unless the first alone is
   * larger. One that is too large ends the page, cut; then a page leaves it out.
   *
   * @param apart whether messages that come again have a page of their own
   */
  Page page(Poll poll, Optional<Loss> foreign, boolean apart) {
    boolean again = unreadUntil >= queue.front;
    long most = again ? Math.min(poll.most(), unreadUntil - queue.front + 1) : poll.most();
    int passed = passed(poll);
    int through = passed; // messages that are behind the client's position then
    Iterator<QueuedMessage> waiting = queue.messages.stream().skip(passed).iterator();
    List<QueuedMessage> page = new ArrayList<>();
    QueuedMessage cut = null;
    Instant nextSince = queues.time.instant();
    for (long bytes = 0; waiting.hasNext(); through++) {
      QueuedMessage next = waiting.next();
      if (!queue.hasLeft(next)) {
        boolean tooLarge = next.body.length > poll.cutBeyond();
        bytes += tooLarge ? Polls.CUT_BYTES : next.body.length + 1;
        boolean isOther = apart && !page.isEmpty() && isAgain(page.getFirst()) != isAgain(next);
        boolean full =
            page.size() >= most || isOther || (bytes > poll.mostBytes() && !page.isEmpty());
        if (full || tooLarge) {
          cut = full ? null : next;
          nextSince = ClientQueue.earlier(nextSince, next.timestamp);
          break;
        }
        page.add(next);
      }
    }
    Cursor from =
        passed == 0
            ? reached
            : reached.to(reached.sequence() + 1, reached.breaks(), reached.since(), false);
    Cursor to =
        reached
            .to(queue.front - 1 + through, queue.breaks, nextSince, cut != null)
            .having(queue.backlog.lastMail(page, reached.mail()));
    long here =
        queue.messages.stream()
            .skip(through + (cut == null ? 0L : 1))
            .filter(message -> !queue.hasLeft(message))
            .count();
    int remaining = (int) here + queue.backlog.left();
    boolean given = again || page.stream().anyMatch(this::isAgain);
    return new Page(page, cut, from, to, remaining, foreign.or(this::gap), given);
  }

  /** Whether an earlier answer had a message; those that are new come in a page of their own. */
  private boolean isAgain(QueuedMessage message) {
    return message.again && queue.backlog.isMail(message);
  }

  /** How many messages a poll leaves out: one that was answered cut, and is too large again. */
  private int passed(Poll poll) {
    QueuedMessage first = queue.front == cutTold ? queue.messages.peek() : null;
    return first != null && first.body.length > poll.cutBeyond() ? 1 : 0;
  }

  boolean hasNews(Poll poll) {
    return queue.messages.size() > passed(poll) || gap().isPresent();
  }

  /** What the client has missed, as far as it hasn't been told. */
  Optional<Loss> gap() {
    return queue.gap(reached);
  }

  /** Counts the loss that an answer tells, unless the last one that told any told the same. */
  void countTold(Optional<Loss> gap) {
    gap.filter(loss -> !loss.equals(lastTold))
        .ifPresent(loss -> {
          lastTold = loss;
          queues.losses().told(queue.clientId, loss);
        });
  }

  /** The position of a client that knows of the gap, and of nothing that may be unread. */
  Cursor knowingTheGap() {
    return head instanceof Head.Written(Page page, _, _) ? page.from() : behindTheGap();
  }

  private Cursor behindTheGap() {
    long sequence = Math.max(reached.sequence(), queue.front - 1);
    return reached.to(sequence, queue.breaks, reached.since(), false);
  }

  /** Whether the client collects its messages: it polls, or has done so a moment ago. */
  boolean isPresent() {
    long sincePoll = queues.nanoTime.getAsLong() - lastPoll;
    return openPolls > 0
        || (polledBy != null && !polledBy.isClosed() && sincePoll < PRESENT_AFTER_POLL.toNanos());
  }
}
