package joshua.grace.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a client's mail isn't in its queue, since an archivist keeps it. Mail is what is sent to
 * the client directly. Behind mail that is left to the archivist all mail is, until a fetch finds
 * no more: its request's place in the bus's order divides mail into what the answer has, and what
 * it hasn't. Guarded by the lock of {@link ClientQueues}.
 */
final class Backlog {
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ClientQueues queues;
  private final ClientQueue queue;
  boolean isFollowed; // the client follows its own channel
  private boolean behind; // the archivist may have mail that isn't here
  private int left; // how much, as far as that is known
  private int mark; // how much of that is in the answer to the fetch
  private final List<QueuedMessage> aside = new ArrayList<>(); // what came later
  private long notBefore;
  private boolean isDisordered; // earlier mail may follow later mail

  Backlog(ClientQueues queues, ClientQueue queue) {
    this.queues = queues;
    this.queue = queue;
    this.notBefore = queues.nanoTime.getAsLong();
  }

  /** Whether a message is mail that its client gets from the queue. */
  boolean isMail(QueuedMessage message) {
    return queue.own.equals(message.channel) && !message.left;
  }

  /** How much waits at the archivist, as far as that is known. */
  int left() {
    return queues.handover.isHeard() ? left : 0;
  }

  /** Queues a message, unless it is mail that has to wait at the archivist, behind earlier mail. */
  void offer(QueuedMessage message) {
    if (isKept(message) && (behind || queue.isFull())) {
      behind = true;
      left++;
      if (queues.handover.isFetching(queue) && aside.size() < queues.limits().messages()) {
        aside.add(message);
        queues.held(message);
      }
      queue.news();
    } else {
      append(message);
    }
  }

  private void append(QueuedMessage message) {
    if (queue.isFull()) {
      queue.drop();
    }
    isDisordered |= behind && isMail(message);
    queue.add(message);
  }

  /** The oldest message is dropped; if that is mail, all of it is left to the archivist. */
  boolean excuses() {
    QueuedMessage oldest = queue.messages.getFirst();
    if (isMail(oldest)) {
      behind = true; // if an archivist heard it
      leaveAll();
    }
    return queue.hasLeft(oldest);
  }

  private void leaveAll() {
    if (queues.handover.isHeard()) {
      queue.messages.stream()
          .filter(this::isMail)
          .forEach(message -> {
            message.left = true;
            left++;
          });
    }
  }

  /** Mail is fetched anew, without what the client turns out to have had. */
  void fetchAgain() {
    leaveAll();
    missed();
  }

  /** Mail may have been missed, of which the archivist may have heard. */
  void missed() {
    behind = isFollowed;
    queues.handover.breakOff(queue);
  }

  boolean canFetch() {
    return behind
        && isFollowed
        && !queues.handover.isFetching(queue)
        && queues.handover.isHeard()
        && queues.nanoTime.getAsLong() >= notBefore
        && !queue.reader.isWriting()
        && queue.reader.unsettled().isEmpty()
        && queue.messages.stream().noneMatch(this::isMail);
  }

  void begin() {
    mark = 0;
  }

  /** The request has passed in the bus's order: what comes from now on isn't in its answer. */
  void passed() {
    mark = left;
    var _ = takeAside();
  }

  private List<QueuedMessage> takeAside() {
    List<QueuedMessage> taken = List.copyOf(aside);
    aside.clear();
    taken.forEach(queues::released);
    return taken;
  }

  /** Forgets what was set aside, if a message that is to go is among it: the archivist has it. */
  void giveUp(QueuedMessage message) {
    if (aside.contains(message)) {
      var _ = takeAside();
    }
  }

  /** Queues a page of mail, and what came later if that is all that there is. */
  void end(List<QueuedMessage> page, int remaining) {
    List<QueuedMessage> later = takeAside();
    behind = false;
    left += remaining - mark;
    for (QueuedMessage message : page) {
      if (queues.handover.isCollected(message.id())) {
        continue;
      }
      if (queue.isFull() && isMail(queue.messages.getFirst())) {
        left++;
      } else {
        append(message);
      }
    }
    if (left == later.size()) {
      left = 0;
      later.forEach(this::offer);
    }
    behind = left > 0;
    isDisordered &= behind;
    queue.changed.signalAll();
  }

  /** A fetch has ended without an answer. */
  void failed() {
    var _ = takeAside();
    notBefore = queues.nanoTime.getAsLong() + RETRY.toNanos();
    queue.changed.signalAll();
  }

  /** What was left to an archivist that isn't heard any more is a gap for a client that polls. */
  void polled() {
    if (left > 0 && !queues.handover.isHeard()) {
      left = 0;
      queue.broken(Loss.Reason.NOT_KEPT, queue.reader.reached.since());
    }
  }

  /** The last mail that a client has which gets a page; null if earlier mail may follow. */
  @Nullable String lastMail(List<QueuedMessage> page, @Nullable String before) {
    List<String> mail = idsOfMail(page);
    String last = mail.isEmpty() ? before : mail.getLast();
    return isDisordered ? null : last;
  }

  boolean isKept(QueuedMessage message) {
    return isMail(message) && queues.handover.isHeard();
  }

  /** The ids of those of some messages that are mail. */
  List<String> idsOfMail(List<QueuedMessage> messages) {
    return queues.handover.wasHeard()
        ? messages.stream().filter(this::isMail).map(QueuedMessage::id).toList()
        : List.of();
  }
}
