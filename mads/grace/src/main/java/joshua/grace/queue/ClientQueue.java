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
import joshua.conversation.envelope.Channel.Kind;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.Handover.Receipt;
import joshua.grace.queue.Polls.Page;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one client: messages with consecutive numbers, removed only at the front, by being
 * released or dropped. A client's loss therefore follows from its position and the number at the
 * front, and no lost, late or repeated poll can falsify it. Guarded by the lock of {@link
 * ClientQueues}, but for volatile fields.
 */
final class ClientQueue {
  final String clientId;
  final boolean watches; // its client only watches, and receives nothing
  final long number;
  final Condition changed;
  final Set<ChannelPattern> topics = new LinkedHashSet<>();
  final Deque<QueuedMessage> messages = new ArrayDeque<>();
  final QueueReader reader;
  final Bell bell;
  final Backlog backlog;
  final String own; // the channel on which mail comes
  private final ClientQueues queues;
  long front = 1; // the number of the first message; if there is none, of the next to arrive
  long lastOfOthers; // the number of the last new one that its client didn't send itself
  private long excused; // of what was dropped behind its client's position, mail that is kept
  int breaks; // losses of unknown size
  private Loss.Reason lastBreak = Loss.Reason.RECONNECT;
  @Nullable Instant missingSince; // no later than the first message that was lost
  private volatile long lastCall;
  Connection usedBy; // what its client came by last
  boolean gone;
  boolean subscribed; // by its client, which may not poll before
  volatile boolean withoutOwn; // that its client sends, but to itself
  volatile boolean readsOthers; // what is sent to others directly
  volatile boolean announced; // others have been told that its client joined

  ClientQueue(ClientQueues queues, String clientId, long number, Connection usedBy) {
    this.queues = queues;
    this.clientId = clientId;
    this.watches = clientId.startsWith(ClientPresence.WATCHER);
    this.number = number;
    this.changed = queues.lock.newCondition();
    this.usedBy = usedBy.whole();
    this.lastCall = queues.nanoTime.getAsLong();
    this.reader = new QueueReader(queues, this);
    this.bell = new Bell(queues, this);
    this.backlog = new Backlog(queues, this);
    this.own = Kind.DIRECT.prefix() + clientId;
  }

  /** How many messages no answer has given; others wait to be acknowledged. */
  int unread() {
    return (int) bell.unread().count();
  }

  /** Those of them that nobody keeps. */
  int notKept() {
    return (int) bell.unread().filter(message -> !backlog.isKept(message)).count();
  }

  boolean isFull() {
    return messages.size() >= queues.limits().messages();
  }

  /** Whether it gets what is sent to its client directly; at first that may be at the archivist. */
  void followsOwn(boolean follows) {
    if (follows != backlog.isFollowed) {
      backlog.isFollowed = follows;
      backlog.missed();
    }
  }

  void add(QueuedMessage message) {
    messages.addLast(message);
    queues.held(message);
    if (!message.sender.equals(clientId) && !message.again) {
      lastOfOthers = front - 1 + messages.size();
    }
    news();
  }

  /** Puts back a page that was released and turned out to be unread. */
  void putBack(Page page) {
    for (QueuedMessage message : page.messages().reversed()) {
      message.again = false; // the reader marks them
      messages.addFirst(message);
      front--;
      queues.held(message);
    }
    Instant since = page.gap().map(Loss::since).orElse(page.from().since());
    if (page.gap().isPresent() || page.messages().isEmpty()) { // these were given up
      missingSince = earlier(missingSince, since);
    }
    news();
  }

  /** Drops the oldest message, which will be reported to the client. */
  void drop() {
    if (backlog.excuses()) {
      excused++;
    } else {
      missingSince = lossSince();
    }
    release();
    news();
  }

  private QueuedMessage release() {
    QueuedMessage released = messages.removeFirst();
    queues.released(released);
    front++;
    return released;
  }

  /** Releases what lies before a position, and returns it. */
  List<QueuedMessage> release(Cursor reached) {
    List<QueuedMessage> released = new ArrayList<>();
    while (!messages.isEmpty() && front <= reached.sequence()) {
      released.add(release());
    }
    if (front - 1 <= reached.sequence()) {
      excused = 0;
      missingSince = breaks <= reached.breaks() ? null : missingSince;
    }
    return released;
  }

  void broken(Loss.Reason reason, Instant since) {
    breaks++;
    lastBreak = reason;
    missingSince = earlier(missingSince, since);
    news();
  }

  /** Closes the queue and wakes all polls that wait for it. */
  void end() {
    gone = true;
    reader.forgetPage();
    queues.handover.breakOff(this);
    while (!messages.isEmpty()) {
      release();
    }
    news();
  }

  void news() {
    changed.signalAll();
    queues.watchers.getOrDefault(clientId, Set.of()).forEach(Runnable::run);
  }

  /**
   * The loss of a client at a position: the messages dropped behind it, or an unknown number, which
   * stays unknown until all of it has been reported.
   */
  Optional<Loss> gap(Cursor reached) {
    long dropped = front - 1 - reached.sequence() - excused;
    Instant since = missingSince == null ? reached.since() : missingSince;
    if (breaks > reached.breaks()) {
      return Optional.of(new Loss(null, lastBreak, since));
    }
    return dropped > 0
        ? Optional.of(new Loss(dropped, Loss.Reason.OVERFLOW, since))
        : Optional.empty();
  }

  /** Reports what waits as lost, whether or not the client ever hears of it. */
  void tellAsLost(Loss.Reason reason) {
    if (notKept() > 0) {
      queues.losses().told(clientId, new Loss((long) notKept(), reason, lossSince()));
    }
  }

  /** No later than the first message that the client has lost if what waits is dropped now. */
  Instant lossSince() {
    Instant now = queues.time.instant();
    Instant first = messages.isEmpty() ? now : earlier(now, messages.getFirst().timestamp);
    return earlier(missingSince, first);
  }

  static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }

  void called() {
    lastCall = queues.nanoTime.getAsLong();
  }

  long silence() {
    return queues.nanoTime.getAsLong() - lastCall;
  }

  /** Has the archivist told that a client was given some messages, or has collected them. */
  void receipts(List<QueuedMessage> messages, boolean collected) {
    messages.stream().filter(backlog::isMail).forEach(message -> message.again = !collected);
    queues.handover.add(backlog.idsOfMail(messages), new Receipt(clientId, collected));
  }

  boolean followsMailAlone() {
    return topics.size() == 1 && topics.iterator().next().text().equals(own);
  }

  /** Whether a message is left to the archivist. */
  boolean hasLeft(QueuedMessage message) {
    return message.left && own.equals(message.channel);
  }

  /** Whether it takes a sender's message on a channel that it follows. */
  boolean takes(String channel, @Nullable String sender) {
    return !gone && !(withoutOwn && clientId.equals(sender) && !channel.equals(own));
  }

  /** Whether it may get a message on a channel that it follows. */
  boolean mayRead(String channel) {
    return readsOthers || ReadingRights.mayRead(clientId, channel);
  }
}
