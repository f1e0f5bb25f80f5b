package joshua.grace;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one client: a run of consecutively numbered messages, removed only at its front,
 * by being released or by being dropped. So what a client has missed follows from its position and
 * the number at the front. Guarded by the lock of {@link ClientQueues}.
 */
final class ClientQueue {

  /** A slice of the queue, and where it leaves the client. */
  record Page(
      List<QueuedMessage> messages,
      QueuePosition position,
      int remaining,
      Optional<MissedMessages> missed) {
    Page missing(MissedMessages lost) {
      return new Page(messages, position, remaining, Optional.of(lost));
    }
  }

  /**
   * Where a client stands.
   *
   * @param position where it stands once it has been told of {@code missed}
   * @param same whether the cursor it came with belongs to this queue
   */
  record Standing(QueuePosition position, boolean same, Optional<MissedMessages> missed) {}

  private final String clientId;
  private final long number;
  private final Condition changed;
  private final Consumer<QueuedMessage> released;
  private final FollowedTopics followedTopics;
  private final Deque<QueuedMessage> messages = new ArrayDeque<>();
  private final ClientActivity clientActivity;

  /** The number of the message at the front; of the next one to come when there is none. */
  private long front = 1;

  /** How far the polls without a cursor, and the releases by one, have come. */
  private QueuePosition reached;

  private @Nullable Instant droppedSince;
  private int breaks;
  private MissedMessages.Reason lastBreak = MissedMessages.Reason.RECONNECT;
  private @Nullable Instant brokenSince;
  private final Instant created;
  private long bytes;
  private long dropped;
  private long polls;
  private @Nullable Instant lastPoll;
  private boolean cursor;
  private int waitingPolls;
  private boolean gone;

  ClientQueue(
      String clientId,
      long number,
      FollowedTopics followedTopics,
      Condition changed,
      Consumer<QueuedMessage> released,
      Instant now,
      LongSupplier nanoTime) {
    this.clientId = clientId;
    this.followedTopics = followedTopics;
    this.number = number;
    this.changed = changed;
    this.released = released;
    this.reached = new QueuePosition(number, 0, 0, now);
    this.clientActivity = new ClientActivity(now, nanoTime);
    this.created = now;
  }

  String clientId() {
    return clientId;
  }

  long number() {
    return number;
  }

  FollowedTopics topics() {
    return followedTopics;
  }

  ClientActivity pulse() {
    return clientActivity;
  }

  int size() {
    return messages.size();
  }

  /** The oldest message; there must be one. */
  QueuedMessage first() {
    return messages.getFirst();
  }

  QueuePosition reached() {
    return reached;
  }

  void add(QueuedMessage message) {
    messages.addLast(message);
    bytes += message.bytes();
    changed.signalAll();
  }

  /** Drops the oldest message, which the client will be told of. */
  void drop(Instant now) {
    droppedSince = earlier(droppedSince, earlier(now, messages.getFirst()));
    dropped++;
    release();
    changed.signalAll();
  }

  private static Instant earlier(Instant moment, QueuedMessage message) {
    return earlier(moment, message.timestamp());
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }

  private void release() {
    QueuedMessage first = messages.removeFirst();
    bytes -= first.bytes();
    released.accept(first);
    front++;
  }

  /** Records a loss whose size nobody knows. */
  void broken(MissedMessages.Reason reason, Instant since) {
    breaks++;
    lastBreak = reason;
    brokenSince = earlier(brokenSince, since);
    changed.signalAll();
  }

  /** Begins a poll, which ends any earlier one that still waits. */
  long beginPoll(Instant now, boolean byCursor) {
    changed.signalAll();
    lastPoll = now;
    cursor = byCursor;
    return ++polls;
  }

  /** A poll begins to wait for news. */
  void pollWaits() {
    waitingPolls++;
  }

  void pollWaitsNoLonger() {
    waitingPolls--;
  }

  boolean isLatestPoll(long poll) {
    return polls == poll;
  }

  Condition changed() {
    return changed;
  }

  /** The queue is no more: whoever waits for it goes on. */
  void end() {
    gone = true;
    while (!messages.isEmpty()) {
      release();
    }
    changed.signalAll();
  }

  boolean isGone() {
    return gone;
  }

  /**
   * Releases what lies before {@code told}: the client has it.
   *
   * @return the position that counts: an older one than was reached already turns nothing back
   */
  QueuePosition acknowledge(QueuePosition told) {
    QueuePosition queuePosition = furthest(told);
    while (!messages.isEmpty() && front <= queuePosition.sequence()) {
      release();
    }
    reached = queuePosition;
    if (front - 1 <= queuePosition.sequence()) {
      droppedSince = null;
    }
    if (breaks <= queuePosition.breaks()) {
      brokenSince = null;
    }
    return queuePosition;
  }

  /** The client has what it took later without a cursor, or by another one. */
  private QueuePosition furthest(QueuePosition told) {
    return new QueuePosition(
        number,
        Math.max(told.sequence(), reached.sequence()),
        Math.max(told.breaks(), reached.breaks()),
        told.since());
  }

  /** Whether there is anything to tell a client at {@code position}. */
  boolean hasNews(QueuePosition queuePosition) {
    return !messages.isEmpty() || missed(queuePosition).isPresent();
  }

  /** What a client at {@code position} has missed: dropped before it saw them, or unknown. */
  Optional<MissedMessages> missed(QueuePosition queuePosition) {
    long dropped = front - 1 - queuePosition.sequence();
    Instant firstDropped = droppedSince == null ? queuePosition.since() : droppedSince;
    if (breaks > queuePosition.breaks()) {
      Instant broken = brokenSince == null ? queuePosition.since() : brokenSince;
      Instant since = dropped > 0 ? earlier(broken, firstDropped) : broken;
      return Optional.of(MissedMessages.unknown(lastBreak, since));
    }
    return dropped > 0
        ? Optional.of(
            new MissedMessages(
                OptionalLong.of(dropped), MissedMessages.Reason.OVERFLOW, firstDropped))
        : Optional.empty();
  }

  /** As an admin sees it. */
  ClientView view() {
    return new ClientView(
        clientId,
        created,
        followedTopics.all().size(),
        messages.size(),
        bytes,
        front - 1 - dropped,
        dropped,
        clientActivity.isPresent(),
        clientActivity.lastCall(),
        Optional.ofNullable(lastPoll),
        waitingPolls > 0,
        cursor,
        missed(reached));
  }

  /** No later than the first message that the client loses if this queue ends {@code now}. */
  Instant lossSince(Instant now) {
    Instant waiting = messages.isEmpty() ? now : earlier(now, messages.getFirst());
    return earlier(droppedSince, earlier(brokenSince, waiting));
  }

  /** Where a client stands that says it was at {@code told}; nothing is released. */
  Standing standing(Optional<QueuePosition> told) {
    Optional<QueuePosition> here = told.filter(queuePosition -> queuePosition.queue() == number);
    QueuePosition queuePosition = here.map(this::furthest).orElse(reached);
    QueuePosition knowing =
        new QueuePosition(
            number, Math.max(queuePosition.sequence(), front - 1), breaks, queuePosition.since());
    return new Standing(knowing, here.isPresent() || told.isEmpty(), missed(queuePosition));
  }

  /** The oldest messages behind {@code position}: at most so many, and so many bytes, but one. */
  Page page(QueuePosition queuePosition, int most, long mostBytes, Instant now) {
    List<QueuedMessage> page = new ArrayList<>();
    Instant nextSince = now;
    long bytes = 0;
    for (QueuedMessage message : messages) {
      bytes += message.bytes();
      if (page.size() == most || (bytes > mostBytes && !page.isEmpty())) {
        nextSince = earlier(now, message);
        break;
      }
      page.add(message);
    }
    QueuePosition end = new QueuePosition(number, front - 1 + page.size(), breaks, nextSince);
    return new Page(page, end, messages.size() - page.size(), missed(queuePosition));
  }

  /** An answer that tells nothing and leaves the client where it is. */
  Page nothing(QueuePosition queuePosition) {
    return new Page(List.of(), queuePosition, messages.size(), Optional.empty());
  }
}
