package joshua.grace.queue;

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
import joshua.grace.meter.MissedMessages;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for one client, consecutively numbered and removed only at the front, by
 * being released or dropped. What a client has missed therefore follows from its position and the
 * number at the front. Guarded by the lock of {@link ClientQueues}.
 */
public final class ClientQueue {

  /** A slice of the queue, and the client's position after it. */
  public record Page(
      List<QueuedMessage> messages,
      QueuePosition position,
      int remaining,
      Optional<MissedMessages> missed) {
    Page missing(MissedMessages lost) {
      return new Page(messages, position, remaining, Optional.of(lost));
    }
  }

  /**
   * A client's position.
   *
   * @param position its position once {@code missed} has been reported to it
   * @param same whether the cursor it came with belongs to this queue
   */
  public record Standing(QueuePosition position, boolean same, Optional<MissedMessages> missed) {}

  private final String clientId;
  private final long number;
  private final Condition changed;
  private final Consumer<QueuedMessage> released;
  private final FollowedTopics followedTopics;
  private final Deque<QueuedMessage> messages = new ArrayDeque<>();
  private final ClientActivity clientActivity;

  /** The number of the message at the front; if there is none, of the next one to arrive. */
  private long front = 1;

  /** How far the polls without a cursor, and the releases by cursor, have come. */
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

  public ClientQueue(
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

  public String clientId() {
    return clientId;
  }

  long number() {
    return number;
  }

  public FollowedTopics topics() {
    return followedTopics;
  }

  ClientActivity pulse() {
    return clientActivity;
  }

  public int size() {
    return messages.size();
  }

  /** The oldest message; there must be one. */
  QueuedMessage first() {
    return messages.getFirst();
  }

  public QueuePosition reached() {
    return reached;
  }

  public void add(QueuedMessage message) {
    messages.addLast(message);
    bytes += message.bytes();
    changed.signalAll();
  }

  /** Drops the oldest message, which will be reported to the client. */
  public void drop(Instant now) {
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

  /** Records a loss of unknown size. */
  public void broken(MissedMessages.Reason reason, Instant since) {
    breaks++;
    lastBreak = reason;
    brokenSince = earlier(brokenSince, since);
    changed.signalAll();
  }

  /** Begins a poll, which ends any earlier one that is still waiting. */
  long beginPoll(Instant now, boolean byCursor) {
    changed.signalAll();
    lastPoll = now;
    cursor = byCursor;
    return ++polls;
  }

  /** A poll starts waiting for news. */
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

  /** Closes the queue and wakes up all polls that wait for it. */
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
   * Releases what lies before {@code told}: the client has received it.
   *
   * @return the position that counts; a position older than one already reached undoes nothing
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

  /** The client has also received what it took later without a cursor, or by another one. */
  private QueuePosition furthest(QueuePosition told) {
    return new QueuePosition(
        number,
        Math.max(told.sequence(), reached.sequence()),
        Math.max(told.breaks(), reached.breaks()),
        told.since());
  }

  /** Whether there is anything to report to a client at {@code queuePosition}. */
  boolean hasNews(QueuePosition queuePosition) {
    return !messages.isEmpty() || missed(queuePosition).isPresent();
  }

  /**
   * What a client at {@code queuePosition} has missed: messages dropped before it saw them, or an
   * unknown number.
   */
  public Optional<MissedMessages> missed(QueuePosition queuePosition) {
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

  /** The queue as an admin sees it. */
  public ClientView view() {
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

  /** No later than the first message that the client loses if this queue is closed {@code now}. */
  Instant lossSince(Instant now) {
    Instant waiting = messages.isEmpty() ? now : earlier(now, messages.getFirst());
    return earlier(droppedSince, earlier(brokenSince, waiting));
  }

  /** The position of a client whose cursor says {@code told}; nothing is released. */
  Standing standing(Optional<QueuePosition> told) {
    Optional<QueuePosition> here = told.filter(queuePosition -> queuePosition.queue() == number);
    QueuePosition queuePosition = here.map(this::furthest).orElse(reached);
    QueuePosition knowing =
        new QueuePosition(
            number, Math.max(queuePosition.sequence(), front - 1), breaks, queuePosition.since());
    return new Standing(knowing, here.isPresent() || told.isEmpty(), missed(queuePosition));
  }

  /**
   * The oldest messages after {@code queuePosition}: at most {@code most}, and at most {@code
   * mostBytes} unless the first alone is larger.
   */
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

  /** An empty page that leaves the client where it is. */
  Page nothing(QueuePosition queuePosition) {
    return new Page(List.of(), queuePosition, messages.size(), Optional.empty());
  }
}
