package joshua.grace.queue;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
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

  private final String clientId;
  private final long number;
  private final Condition changed;
  private final Runnable watchers;
  private final Consumer<QueuedMessage> released;
  private final Set<ChannelPattern> topics = new LinkedHashSet<>();
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
  private @Nullable TakenAnswer taken;
  private @Nullable Instant lastPollAt;
  private long lastPoll;
  private @Nullable Connection polledBy;
  private Connection usedBy;
  private volatile long lastCall;
  private volatile boolean readsOthers;
  private volatile boolean announced;
  private boolean gone;

  ClientQueue(
      String clientId,
      long number,
      Condition changed,
      Runnable watchers,
      Consumer<QueuedMessage> released,
      Connection usedBy,
      Instant now,
      long nanoTime) {
    this.usedBy = usedBy.whole();
    this.clientId = clientId;
    this.number = number;
    this.changed = changed;
    this.watchers = watchers;
    this.released = released;
    this.reached = new QueuePosition(number, 0, 0, now);
    this.lastCall = nanoTime;
    this.lastPoll = nanoTime;
  }

  String clientId() {
    return clientId;
  }

  long number() {
    return number;
  }

  Set<ChannelPattern> topics() {
    return topics;
  }

  Condition changed() {
    return changed;
  }

  int size() {
    return messages.size();
  }

  @Nullable Instant oldest() {
    return messages.isEmpty() ? null : messages.getFirst().timestamp();
  }

  @Nullable Instant newest() {
    return messages.isEmpty() ? null : messages.getLast().timestamp();
  }

  void add(QueuedMessage message) {
    messages.addLast(message);
    message.hold();
    news();
  }

  /** Drops the oldest message, which will be reported to the client. */
  void drop(Instant now) {
    droppedSince = earlier(droppedSince, earlier(now, messages.getFirst().timestamp()));
    release();
    news();
  }

  /** Whether a message, the oldest of all, is at the front. */
  boolean beginsWith(QueuedMessage message) {
    return messages.peek() == message;
  }

  private void release() {
    released.accept(messages.removeFirst());
    front++;
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
    setTaken(null);
    while (!messages.isEmpty()) {
      release();
    }
    news();
  }

  private void news() {
    changed.signalAll();
    watchers.run();
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
    if (taken != null && told.sequence() >= taken.page().position().sequence()) {
      setTaken(null);
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
  void setTaken(@Nullable TakenAnswer answer) {
    if (taken != null) {
      taken.forget();
    }
    taken = answer;
  }

  /** The caller of an answer hasn't read it. */
  void unread(TakenAnswer answer) {
    answer.setUnread();
    news();
  }

  /** Whether there is anything to report to a client at its position. */
  boolean hasNews() {
    return !messages.isEmpty() || gap().isPresent() || (taken != null && taken.isUnread());
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
  Page page(int most, long mostBytes, Instant now) {
    if (taken != null && taken.isUnread()) {
      return taken.page().again(messages.size());
    }
    List<byte[]> page = new ArrayList<>();
    Instant nextSince = now;
    long bytes = 0;
    for (QueuedMessage message : messages) {
      bytes += message.body().length + 1;
      if (page.size() == most || (bytes > mostBytes && !page.isEmpty())) {
        nextSince = earlier(now, message.timestamp());
        break;
      }
      page.add(message.body());
    }
    QueuePosition end = new QueuePosition(number, front - 1 + page.size(), breaks, nextSince);
    return new Page(page, end, messages.size() - page.size(), gap(), false);
  }

  /** No later than the first message that the client loses if this queue is closed now. */
  Instant lossSince(Instant now) {
    Instant waiting = messages.isEmpty() ? now : earlier(now, messages.getFirst().timestamp());
    return earlier(droppedSince, earlier(brokenSince, waiting));
  }

  // --- Polls --------------------------------------------------------------------------------

  /** Begins a poll, which supersedes any earlier one that is still open. */
  long beginPoll(Instant now, long nanoTime, Connection connection) {
    polledBy = connection.whole();
    lastPollAt = now;
    lastPoll = nanoTime;
    lastCall = nanoTime;
    usedBy = connection.whole();
    openPolls++;
    changed.signalAll();
    return ++polls;
  }

  void endPoll(long nanoTime) {
    lastPoll = nanoTime;
    lastCall = nanoTime;
    openPolls--;
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
  void called(long nanoTime) {
    lastCall = nanoTime;
  }

  long lastCall() {
    return lastCall;
  }

  /** Whether the client collects its messages: it polls, or has done so since a moment. */
  boolean collectsSince(long nanoTime) {
    return openPolls > 0 || (polledBy != null && !polledBy.isClosed() && lastPoll - nanoTime > 0);
  }

  /** Whether the socket that its client used last has been closed. */
  boolean hasLostItsSocket() {
    return usedBy.isClosed();
  }

  /** Whether others have been told that it joined. */
  boolean isAnnounced() {
    return announced;
  }

  void setAnnounced(boolean now) {
    announced = now;
  }

  /** Whether it gets what is sent to others directly. */
  boolean readsOthers() {
    return readsOthers;
  }

  void setReadsOthers(boolean now) {
    readsOthers = now;
  }

  /** Whether it may get a message on a channel that it follows. */
  boolean mayRead(String channel) {
    return readsOthers || ReadingRights.mayRead(clientId, channel);
  }

  /** Whether it follows a channel. */
  boolean follows(String channel) {
    for (ChannelPattern topic : topics) {
      if (topic.matches(channel) && topic.asksFor(channel)) {
        return true;
      }
    }
    return false;
  }
}
