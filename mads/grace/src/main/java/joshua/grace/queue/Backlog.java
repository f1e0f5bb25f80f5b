package joshua.grace.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What of a client's mail isn't in its queue, since an archivist keeps it. Mail is what is sent to
 * the client directly. While a fetch is under way, mail is held aside: the request's place in the
 * bus's order divides it into what the answer has, and what it hasn't. Guarded by the lock of
 * {@link ClientQueues}.
 */
final class Backlog {
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ClientQueues queues;
  private final ClientQueue queue;
  boolean isFollowed; // the client follows its own channel
  int mail; // how much of it is in the queue
  private boolean behind; // the archivist may have mail that isn't here
  private int left; // how much, as far as that is known
  private @Nullable UUID fetch;
  private final List<QueuedMessage> held = new ArrayList<>();
  private int mark; // what was held before it is in the fetch's answer
  private int notHeld; // what came during the fetch, and had no room
  private long notBefore;
  private boolean isDisordered; // earlier mail may follow later mail
  @Nullable String had; // the last mail that the client had by an earlier queue's answer

  Backlog(ClientQueues queues, ClientQueue queue) {
    this.queues = queues;
    this.queue = queue;
    this.notBefore = queues.nanoTime.getAsLong();
  }

  boolean isMail(QueuedMessage message) {
    return queue.own.equals(message.channel);
  }

  /** How much waits at the archivist, as far as that is known. */
  int left() {
    return queues.handover.isHeard() ? left : 0;
  }

  /** Queues a message, unless it is mail that has to wait at the archivist, behind earlier mail. */
  void offer(QueuedMessage message) {
    if (!isMail(message)) {
      append(message);
    } else if (fetch != null && notHeld == 0 && held.size() < queues.limits().messages()) {
      held.add(message);
      queues.held(message, false);
    } else if (fetch != null || (queues.handover.isHeard() && (behind || queue.isFull()))) {
      notHeld += fetch == null ? 0 : 1;
      leave();
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

  /** Mail is at the archivist alone. */
  private void leave() {
    behind = true;
    left++;
  }

  /** The oldest message is dropped, and if that is mail, the rest is left to the archivist, too. */
  boolean excuses() {
    if (!isMail(queue.messages.getFirst())) {
      return false;
    }
    behind = true; // if an archivist heard it
    if (queues.handover.isHeard()) {
      queue.messages.stream().filter(this::isWaiting).forEach(message -> message.left = true);
      left += mail;
      mail = 0;
    }
    return queues.handover.isHeard();
  }

  /** Whether a message is mail that its client gets from the queue. */
  boolean isWaiting(QueuedMessage message) {
    return isMail(message) && !message.left;
  }

  /** Mail may have been missed, of which the archivist may have heard. */
  void missed() {
    behind = isFollowed;
    fail();
  }

  boolean canFetch() {
    return behind
        && isFollowed
        && mail == 0
        && fetch == null
        && !queue.reader.isWriting()
        && queues.handover.isHeard()
        && queues.nanoTime.getAsLong() >= notBefore;
  }

  boolean isFetching() {
    return fetch != null;
  }

  void begin(UUID request) {
    fetch = request;
    mark = 0;
    notHeld = 0;
  }

  /** The request has passed in the bus's order: what comes from now on isn't in its answer. */
  void passed() {
    mark = held.size();
  }

  /** Queues a page of mail, and then what was held aside and isn't in it. */
  void end(List<QueuedMessage> page, int remaining) {
    List<String> known = queue.reader.unsettled();
    List<QueuedMessage> aside = takeHeld();
    behind = false;
    left = remaining + notHeld;
    for (QueuedMessage message : page) {
      if (known.contains(message.id()) || queues.handover.isCollected(message.id())) {
        continue;
      }
      boolean isFullOfMail = queue.isFull() && isMail(queue.messages.getFirst());
      if (behind || isFullOfMail) {
        leave();
      } else {
        append(message);
      }
    }
    if (remaining > 0 && mail == 0) { // all of the page was known
      notBefore = queues.nanoTime.getAsLong() + RETRY.toNanos();
    }
    behind |= remaining > 0;
    aside.stream().skip(mark).forEach(this::offer);
    behind |= notHeld > 0;
    isDisordered &= behind;
    had = null;
    queue.changed.signalAll();
  }

  /** Ends a fetch without an answer: what was held is queued, and older mail comes later. */
  void fail() {
    if (fetch != null) {
      notBefore = queues.nanoTime.getAsLong() + RETRY.toNanos();
      takeHeld().forEach(this::append);
      queue.changed.signalAll();
    }
  }

  private List<QueuedMessage> takeHeld() {
    fetch = null;
    List<QueuedMessage> aside = List.copyOf(held);
    held.clear();
    aside.forEach(queues::released);
    return aside;
  }

  /** Ends with the queue. */
  void close() {
    var _ = takeHeld();
    behind = false;
  }

  boolean holds(QueuedMessage message) {
    return held.contains(message);
  }

  /** How much of the queue behind a number of messages is left to the archivist. */
  int leftBehind(int through) {
    return left == 0
        ? 0
        : (int)
            queue.messages.stream().skip(through).filter(each -> isMail(each) && each.left).count();
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

  boolean isOf(UUID request) {
    return request.equals(fetch);
  }

  /** The ids of those of some messages that are mail. */
  List<String> idsOfMail(List<QueuedMessage> messages) {
    return queues.handover.wasHeard()
        ? messages.stream().filter(this::isWaiting).map(QueuedMessage::id).toList()
        : List.of();
  }
}
