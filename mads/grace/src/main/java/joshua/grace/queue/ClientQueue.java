package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import joshua.conversation.envelope.ChannelPattern;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for one client, consecutively numbered and removed only at the front, by
 * being released or dropped. What a client has missed therefore follows from its position and the
 * number at the front, and no lost, late or repeated poll can falsify it. Guarded by the lock of
 * {@link ClientQueues}, but for what is volatile.
 */
final class ClientQueue {
  private static final Duration PRESENT_AFTER_POLL = Duration.ofSeconds(30);

  /**
   * A slice of the queue, and the client's position after it.
   *
   * @param again whether an earlier answer had it, which wasn't read
   */
  record Page(
      List<byte[]> messages,
      QueuePosition position,
      int remaining,
      Optional<Loss> gap,
      boolean again) {
    long bytes() {
      return messages.stream().mapToLong(message -> message.length).sum();
    }

    Page again(int waiting) {
      return new Page(messages, position, waiting, gap, true);
    }
  }

  final String clientId;
  final long number;
  final Condition changed;
  final Set<ChannelPattern> topics = new LinkedHashSet<>();
  private final ClientQueues queues;
  private final Deque<QueuedMessage> messages = new ArrayDeque<>();

  /** The number of the message at the front; if there is none, of the next one to arrive. */
  private long front = 1;

  /** How far the polls without a cursor, and the releases by cursor, have come. */
  private QueuePosition reached;

  private @Nullable Instant droppedSince;
  private int breaks;
  private Loss.Reason lastBreak = Loss.Reason.RECONNECT;
  private @Nullable Instant brokenSince;
  private long toldFront;
  private int toldBreaks;
  private long polls;
  private int openPolls;
  private boolean delivering;
  private @Nullable Page taken;
  private boolean takenUnread;
  private Runnable takenForgotten = () -> {};
  private @Nullable Instant lastPollAt;
  private long lastPoll;
  private @Nullable Connection polledBy;
  private Connection usedBy;
  private volatile long lastCall;
  private boolean gone;

  /** Whether it gets what is sent to others directly. */
  volatile boolean readsOthers;

  /** Whether others have been told that its client joined. */
  volatile boolean announced;

  ClientQueue(ClientQueues queues, String clientId, long number, Connection usedBy) {
    this.queues = queues;
    this.clientId = clientId;
    this.number = number;
    this.changed = queues.lock.newCondition();
    this.usedBy = usedBy.whole();
    this.reached = new QueuePosition(number, 0, 0, queues.time.instant());
    this.lastCall = queues.nanoTime.getAsLong();
    this.lastPoll = lastCall;
  }

  int size() {
    return messages.size();
  }

  @Nullable Instant oldest() {
    return messages.isEmpty() ? null : messages.getFirst().timestamp;
  }

  @Nullable Instant newest() {
    return messages.isEmpty() ? null : messages.getLast().timestamp;
  }

  void add(QueuedMessage message) {
    messages.addLast(message);
    message.hold();
    news();
  }

  /** Drops the oldest message, which will be reported to the client. */
  void drop() {
    droppedSince = droppingSince();
    release();
    news();
  }

  /** Whether a message, the oldest of all, is at the front. */
  boolean beginsWith(QueuedMessage message) {
    return messages.peek() == message;
  }

  private void release() {
    queues.released(messages.removeFirst());
    front++;
  }

  /** No later than the first message that the client loses if what waits is dropped now. */
  private Instant droppingSince() {
    Instant now = queues.time.instant();
    Instant first = messages.isEmpty() ? now : earlier(now, messages.getFirst().timestamp);
    return earlier(droppedSince, first);
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }

  /** Records a loss of unknown size. */
  void broken(Loss.Reason reason, Instant since) {
    breaks++;
    lastBreak = reason;
    brokenSince = earlier(brokenSince, since);
    news();
  }

  /** Closes the queue and wakes all polls that wait for it. */
  void end() {
    gone = true;
    forgetTaken();
    while (!messages.isEmpty()) {
      release();
    }
    news();
  }

  private void news() {
    changed.signalAll();
    queues.watchers.tell(clientId);
  }

  boolean isGone() {
    return gone;
  }

  // --- Positions ----------------------------------------------------------------------------

  QueuePosition reached() {
    return reached;
  }

  /**
   * Releases what lies before a position: the client has received it. A position older than one
   * already reached undoes nothing.
   */
  void acknowledge(QueuePosition told) {
    if (taken != null && told.sequence() >= taken.position().sequence()) {
      forgetTaken();
    }
    QueuePosition position = furthest(told);
    while (!messages.isEmpty() && front <= position.sequence()) {
      release();
    }
    reached = position;
    if (front - 1 <= position.sequence()) {
      droppedSince = null;
    }
    if (breaks <= position.breaks()) {
      brokenSince = null;
    }
  }

  private QueuePosition furthest(QueuePosition told) {
    long last = front - 1 + messages.size();
    return new QueuePosition(
        number,
        Math.max(Math.min(told.sequence(), last), reached.sequence()),
        Math.max(Math.min(told.breaks(), breaks), reached.breaks()),
        told.since());
  }

  /** Keeps what an answer took, until its client takes or acknowledges more. */
  void setTaken(Page page) {
    taken = page;
  }

  void whenTakenIsForgotten(Runnable action) {
    takenForgotten = action;
  }

  private void forgetTaken() {
    taken = null;
    takenUnread = false;
    takenForgotten.run();
    takenForgotten = () -> {};
  }

  /** The caller of the answer that took a page hasn't read it. */
  void unread(Page page) {
    if (page.equals(taken)) {
      takenUnread = true;
      news();
    }
  }

  /** Whether there is anything to report to a client at its position. */
  boolean hasNews() {
    return !messages.isEmpty() || gap().isPresent() || takenUnread;
  }

  /**
   * What the client has missed: messages dropped before it saw them, or an unknown number. Its size
   * stays unknown until all of it has been reported.
   */
  Optional<Loss> gap() {
    long dropped = front - 1 - reached.sequence();
    Instant firstDropped = droppedSince == null ? reached.since() : droppedSince;
    if (breaks > reached.breaks()) {
      Instant broken = brokenSince == null ? reached.since() : brokenSince;
      Instant since = dropped > 0 ? earlier(broken, firstDropped) : broken;
      return Optional.of(new Loss(null, lastBreak, since));
    }
    return dropped > 0
        ? Optional.of(new Loss(dropped, Loss.Reason.OVERFLOW, firstDropped))
        : Optional.empty();
  }

  /** The gap if it hasn't been told yet, or has grown since. */
  Optional<Loss> newGap() {
    boolean grown = front - 1 > Math.max(toldFront, reached.sequence()) || breaks > toldBreaks;
    toldFront = front - 1;
    toldBreaks = breaks;
    return grown ? gap() : Optional.empty();
  }

  /** The position of a client that has been told of the gap, and of no message. */
  QueuePosition knowingTheGap() {
    return new QueuePosition(
        number, Math.max(reached.sequence(), front - 1), breaks, reached.since());
  }

  /**
   * The oldest messages: at most so many, and at most so many bytes unless the first alone is
   * larger.
   */
  Page page(int most, long mostBytes) {
    if (taken != null && takenUnread) {
      return taken.again(messages.size());
    }
    List<byte[]> page = new ArrayList<>();
    Instant nextSince = queues.time.instant();
    long bytes = 0;
    for (QueuedMessage message : messages) {
      bytes += message.body.length + 1;
      if (page.size() == most || (bytes > mostBytes && !page.isEmpty())) {
        nextSince = earlier(nextSince, message.timestamp);
        break;
      }
      page.add(message.body);
    }
    QueuePosition end = new QueuePosition(number, front - 1 + page.size(), breaks, nextSince);
    return new Page(page, end, messages.size() - page.size(), gap(), false);
  }

  /** No later than the first message that the client loses if this queue is closed now. */
  Instant lossSince() {
    return earlier(brokenSince, droppingSince());
  }

  // --- Polls --------------------------------------------------------------------------------

  /** Begins a poll, which supersedes any earlier one that is still open. */
  long beginPoll(Connection connection) {
    polledBy = connection.whole();
    usedBy = connection.whole();
    lastPollAt = queues.time.instant();
    openPolls++;
    polled();
    return ++polls;
  }

  void endPoll() {
    openPolls--;
    polled();
  }

  private void polled() {
    lastPoll = queues.nanoTime.getAsLong();
    lastCall = lastPoll;
    changed.signalAll();
  }

  boolean isLatestPoll(long poll) {
    return polls == poll;
  }

  int openPolls() {
    return openPolls;
  }

  boolean isPolledBy(Connection connection) {
    return connection.whole().equals(polledBy);
  }

  @Nullable Instant lastPollAt() {
    return lastPollAt;
  }

  /** Whether an answer that takes messages is being written; what it takes is known afterwards. */
  boolean isDelivering() {
    return delivering;
  }

  void setDelivering(boolean now) {
    delivering = now;
    changed.signalAll();
  }

  // --- Calls --------------------------------------------------------------------------------

  void setUsedBy(Connection connection) {
    usedBy = connection.whole();
  }

  /** The client has made a call; under no lock. */
  void called() {
    lastCall = queues.nanoTime.getAsLong();
  }

  /** How long its client hasn't made a call, in nanoseconds. */
  long silence() {
    return queues.nanoTime.getAsLong() - lastCall;
  }

  /** Whether the client collects its messages: it polls, or has done so a moment ago. */
  boolean isPresent() {
    long sincePoll = queues.nanoTime.getAsLong() - lastPoll;
    return openPolls > 0
        || (polledBy != null && !polledBy.isClosed() && sincePoll < PRESENT_AFTER_POLL.toNanos());
  }

  /** Whether the socket that its client used last has been closed. */
  boolean hasLostItsSocket() {
    return usedBy.isClosed();
  }

  /** Whether it may get a message on a channel that it follows. */
  boolean mayRead(String channel) {
    return readsOthers || ReadingRights.mayRead(clientId, channel);
  }
}
