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
  record Page(List<Held> messages, Position position, int remaining, Optional<Missed> missed) {
    Page missing(Missed lost) {
      return new Page(messages, position, remaining, Optional.of(lost));
    }
  }

  /**
   * Where a client stands.
   *
   * @param position where it stands once it has been told of {@code missed}
   * @param same whether the cursor it came with belongs to this queue
   */
  record Standing(Position position, boolean same, Optional<Missed> missed) {}

  private final String clientId;
  private final long number;
  private final Condition changed;
  private final Consumer<Held> released;
  private final Topics topics;
  private final Deque<Held> messages = new ArrayDeque<>();
  private final Pulse pulse;

  /** The number of the message at the front; of the next one to come when there is none. */
  private long front = 1;

  /** How far the polls without a cursor, and the releases by one, have come. */
  private Position reached;

  private @Nullable Instant droppedSince;
  private int breaks;
  private Missed.Reason lastBreak = Missed.Reason.RECONNECT;
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
      Topics topics,
      Condition changed,
      Consumer<Held> released,
      Instant now,
      LongSupplier nanoTime) {
    this.clientId = clientId;
    this.topics = topics;
    this.number = number;
    this.changed = changed;
    this.released = released;
    this.reached = new Position(number, 0, 0, now);
    this.pulse = new Pulse(now, nanoTime);
    this.created = now;
  }

  String clientId() {
    return clientId;
  }

  long number() {
    return number;
  }

  Topics topics() {
    return topics;
  }

  Pulse pulse() {
    return pulse;
  }

  int size() {
    return messages.size();
  }

  /** The oldest message; there must be one. */
  Held first() {
    return messages.getFirst();
  }

  Position reached() {
    return reached;
  }

  void add(Held message) {
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

  private static Instant earlier(Instant moment, Held message) {
    return earlier(moment, message.timestamp());
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }

  private void release() {
    Held first = messages.removeFirst();
    bytes -= first.bytes();
    released.accept(first);
    front++;
  }

  /** Records a loss whose size nobody knows. */
  void broken(Missed.Reason reason, Instant since) {
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
  Position acknowledge(Position told) {
    Position position = furthest(told);
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
    return position;
  }

  /** The client has what it took later without a cursor, or by another one. */
  private Position furthest(Position told) {
    return new Position(
        number,
        Math.max(told.sequence(), reached.sequence()),
        Math.max(told.breaks(), reached.breaks()),
        told.since());
  }

  /** Whether there is anything to tell a client at {@code position}. */
  boolean hasNews(Position position) {
    return !messages.isEmpty() || missed(position).isPresent();
  }

  /** What a client at {@code position} has missed: dropped before it saw them, or unknown. */
  Optional<Missed> missed(Position position) {
    long dropped = front - 1 - position.sequence();
    Instant firstDropped = droppedSince == null ? position.since() : droppedSince;
    if (breaks > position.breaks()) {
      Instant broken = brokenSince == null ? position.since() : brokenSince;
      Instant since = dropped > 0 ? earlier(broken, firstDropped) : broken;
      return Optional.of(Missed.unknown(lastBreak, since));
    }
    return dropped > 0
        ? Optional.of(new Missed(OptionalLong.of(dropped), Missed.Reason.OVERFLOW, firstDropped))
        : Optional.empty();
  }

  /** As an admin sees it. */
  ClientView view() {
    return new ClientView(
        clientId,
        created,
        topics.all().size(),
        messages.size(),
        bytes,
        front - 1 - dropped,
        dropped,
        pulse.isPresent(),
        pulse.lastCall(),
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
  Standing standing(Optional<Position> told) {
    Optional<Position> here = told.filter(position -> position.queue() == number);
    Position position = here.map(this::furthest).orElse(reached);
    Position knowing =
        new Position(number, Math.max(position.sequence(), front - 1), breaks, position.since());
    return new Standing(knowing, here.isPresent() || told.isEmpty(), missed(position));
  }

  /** The oldest messages behind {@code position}: at most so many, and so many bytes, but one. */
  Page page(Position position, int most, long mostBytes, Instant now) {
    List<Held> page = new ArrayList<>();
    Instant nextSince = now;
    long bytes = 0;
    for (Held message : messages) {
      bytes += message.bytes();
      if (page.size() == most || (bytes > mostBytes && !page.isEmpty())) {
        nextSince = earlier(now, message);
        break;
      }
      page.add(message);
    }
    Position end = new Position(number, front - 1 + page.size(), breaks, nextSince);
    return new Page(page, end, messages.size() - page.size(), missed(position));
  }

  /** An answer that tells nothing and leaves the client where it is. */
  Page nothing(Position position) {
    return new Page(List.of(), position, messages.size(), Optional.empty());
  }
}
