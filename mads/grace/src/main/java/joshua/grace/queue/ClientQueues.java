package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The queues of all clients of the relay (REQ-GR-04), with the limits on them. Queues, positions
 * and the index of topics are guarded by the one {@code lock}, under which there is no I/O.
 */
public final class ClientQueues {
  public static final int MAX_TOPICS = 1_000; // of one client
  private static final int MAX_ENDED = 100_000;
  private static final Duration START_TOLD_FOR = Duration.ofHours(24);

  /**
   * What is kept at most: messages of a client; clients, of whom the one used least recently goes;
   * and bytes of all queues together, of which the oldest message goes.
   */
  public record Limits(int messages, int clients, long bytes) {}

  /** A client and the reason why it counts as having left. */
  record Leaver(String clientId, String reason) {}

  /** A queue that has ended; evicted if its client didn't give it up itself. */
  private record Ended(long number, boolean evicted, Instant since) {}

  /** What a client follows; a poll of its name may be open on another connection. */
  public record Subscribed(
      List<String> topics, String cursor, Optional<Loss> gap, @Nullable Instant pollingSince) {}

  /** The lock, held until this is closed. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  final ReentrantLock lock = new ReentrantLock();
  private final Held held = lock::unlock;
  final InstantSource time;
  final LongSupplier nanoTime;
  final String epoch;
  private final Instant started;
  private final Limits limits;
  private final TopicIndex index = new TopicIndex();
  private final LossReport losses = new LossReport();
  final Map<String, ClientQueue> byClient = new ConcurrentHashMap<>();
  private long lastNumber;
  private final LinkedHashMap<String, Ended> ended = new LinkedHashMap<>(); // the oldest first
  final Queue<Leaver> leavers = new ConcurrentLinkedQueue<>(); // that are yet to be announced
  final Map<String, Set<Runnable>> watchers = new ConcurrentHashMap<>(); // by client
  private final LinkedHashSet<QueuedMessage> live = new LinkedHashSet<>(); // that some queue has
  private long bytes; // of these
  final Handover handover = new Handover(this);

  /** The queues of one run of the relay, which the epoch identifies, in hexadecimal. */
  public ClientQueues(String epoch, Limits limits, InstantSource time, LongSupplier nanoTime) {
    this.epoch = epoch;
    this.started = time.instant();
    this.limits = limits;
    this.time = time;
    this.nanoTime = nanoTime;
  }

  public String epoch() {
    return epoch;
  }

  public Limits limits() {
    return limits;
  }

  public TopicIndex topics() {
    return index;
  }

  public Handover handover() {
    return handover;
  }

  public LossReport losses() {
    return losses;
  }

  public int clients() {
    return byClient.size();
  }

  /** How many messages wait, each counted once however many clients wait for it. */
  public int waitingMessages() {
    try (var _ = hold()) {
      return live.size();
    }
  }

  public long waitingBytes() {
    try (var _ = hold()) {
      return bytes;
    }
  }

  Held hold() {
    lock.lock();
    return held;
  }

  /** A client's queue; if it hasn't subscribed, one that has ended. */
  ClientQueue queueOrEnded(String clientId, Connection connection) {
    ClientQueue queue = byClient.get(clientId);
    if (queue == null || !queue.subscribed) {
      queue = new ClientQueue(this, clientId, 0, connection);
      queue.gone = true;
    }
    return queue;
  }

  /** Queues a message for the clients that follow its channel and that {@code to} accepts. */
  public void deliver(Envelope envelope, byte[] body, Predicate<String> to) {
    String channel = envelope.channel().name();
    QueuedMessage message = new QueuedMessage(body, envelope, index.route(channel));
    try (var _ = hold()) {
      for (ClientQueue queue : message.queues) {
        if (queue.takes(channel, message.sender) && to.test(queue.clientId)) {
          queue.backlog.offer(message);
        }
      }
      dropBeyondBytes();
    }
  }

  void dropBeyondBytes() {
    while (bytes > limits.bytes()) {
      QueuedMessage oldest = live.getFirst();
      for (ClientQueue queue : oldest.queues) {
        queue.reader.giveUp(oldest);
        queue.backlog.giveUp(oldest);
        if (queue.messages.peek() == oldest) {
          queue.drop();
        }
      }
    }
  }

  /** A queue has got a message, or may get it back. */
  void held(QueuedMessage message) {
    if (message.holders++ == 0) {
      live.addLast(message);
      bytes += message.body.length;
    }
  }

  void released(QueuedMessage message) {
    if (--message.holders == 0) {
      live.remove(message);
      bytes -= message.body.length;
    }
  }

  /** Records the loss of the bus connection, and with it of an unknown number of messages. */
  public void broken(Instant since) {
    try (var _ = hold()) {
      byClient
          .values()
          .forEach(queue -> {
            queue.broken(Loss.Reason.RECONNECT, since);
            queue.backlog.missed();
          });
    }
  }

  /** Why a client can't follow topics beside those that it follows, if so. */
  public Optional<Refusal> noRoom(String clientId, Collection<ChannelPattern> topics) {
    try (var _ = hold()) {
      Set<ChannelPattern> all = new LinkedHashSet<>(topics);
      Optional.ofNullable(byClient.get(clientId)).ifPresent(queue -> all.addAll(queue.topics));
      return Optional.ofNullable(index.noRoom(clientId, all))
          .map(why -> Refusal.of(ErrorCode.OVERLOADED, why + " Nothing was subscribed."));
    }
  }

  /**
   * Adds topics to a client's queue, which exists from now on. The cursor is the client's last one;
   * while the bus is away, messages are being missed.
   */
  public Subscribed subscribe(
      String clientId,
      Collection<ChannelPattern> topics,
      Optional<Cursor> cursor,
      boolean busIsAway,
      Connection connection,
      ReadingRights rights) {
    try (var _ = hold()) {
      restrict(clientId, rights); // it comes back at once
      @Nullable ClientQueue before = byClient.get(clientId);
      ClientQueue queue = before == null ? created(clientId, busIsAway, connection) : before;
      queue.called();
      if (queue.readsOthers != rights.othersDirect()) {
        queue.readsOthers = rights.othersDirect();
        index.changed();
      }
      QueueReader reader = queue.reader;
      Optional<Loss> foreign = Optional.empty();
      if (queue.subscribed) {
        foreign = reader.acknowledge(cursor);
      } else { // it is new, or was made for who waits until something comes
        loss(clientId, cursor).ifPresent(loss -> queue.broken(loss.reason(), loss.since()));
        reader.reached = reader.reached.having(cursor.map(Cursor::mail).orElse(null));
        queue.backlog.fetchAgain();
        ended.remove(clientId);
      }
      for (ChannelPattern topic : topics) {
        if (queue.topics.add(topic)) {
          index.add(topic, queue);
        }
      }
      queue.followsOwn(index.route(queue.own).contains(queue));
      Optional<Loss> gap = foreign.or(reader::gap);
      reader.countTold(gap);
      boolean polledElsewhere = reader.openPolls > 0 && reader.polledBy != connection.whole();
      queue.usedBy = connection.whole();
      queue.subscribed = true;
      return new Subscribed(
          queue.topics.stream().map(ChannelPattern::text).toList(),
          reader.knowingTheGap().toString(),
          gap,
          polledElsewhere ? reader.lastPollAt : null);
    }
  }

  private ClientQueue created(String clientId, boolean busIsAway, Connection connection) {
    if (byClient.size() >= limits.clients()) {
      byClient.values().stream()
          .max(
              Comparator.comparing(
                      (ClientQueue queue) -> queue.reader.openPolls == 0 && !queue.bell.isHeld())
                  .thenComparingLong(ClientQueue::silence))
          .ifPresent(queue -> close(queue, true, "evicted: other clients were used more recently"));
    }
    ClientQueue queue = new ClientQueue(this, clientId, ++lastNumber, connection);
    if (busIsAway) {
      queue.broken(Loss.Reason.RECONNECT, time.instant());
    }
    byClient.put(clientId, queue);
    return queue;
  }

  /** Sets whether a client receives its own messages; those to itself it always does. */
  public void receiveOwn(String clientId, boolean own) {
    Optional.ofNullable(byClient.get(clientId)).ifPresent(queue -> queue.withoutOwn = !own);
  }

  /** Gives up topics; if none are given or left, the queue. Null where there is none. */
  public @Nullable List<String> unsubscribe(String clientId, Collection<ChannelPattern> topics) {
    try (var _ = hold()) {
      ClientQueue queue = byClient.get(clientId);
      if (queue == null) {
        return null;
      }
      for (ChannelPattern topic : topics.isEmpty() ? List.copyOf(queue.topics) : topics) {
        if (queue.topics.remove(topic)) {
          index.remove(topic, queue);
        }
      }
      queue.followsOwn(index.route(queue.own).contains(queue));
      if (queue.topics.isEmpty()) {
        close(queue, false, "unsubscribed");
      }
      return queue.topics.stream().map(ChannelPattern::text).toList();
    }
  }

  /** Ends a queue with more in it than its client may read now. */
  public void restrict(String clientId, ReadingRights rights) {
    try (var _ = hold()) {
      ClientQueue queue = byClient.get(clientId);
      if (queue != null
          && ((queue.readsOthers && !rights.othersDirect())
              || (!rights.housekeeping() && rights.toFollow(clientId, queue.topics).isPresent()))) {
        close(queue, true, "its client may read less than before");
      }
    }
  }

  /** Ends a client's queue, if there is one; its next poll says so. */
  public boolean drop(String clientId) {
    try (var _ = hold()) {
      ClientQueue queue = byClient.get(clientId);
      if (queue != null) {
        close(queue, true, "dropped by an administrator");
      }
      return queue != null;
    }
  }

  private void close(ClientQueue queue, boolean evicted, String reason) {
    ended.putLast(queue.clientId, new Ended(queue.number, evicted, queue.lossSince()));
    if (ended.size() > MAX_ENDED) {
      ended.pollFirstEntry();
    }
    if (evicted) {
      queue.tellAsLost(Loss.Reason.EVICTED); // its client may never poll again
    }
    queue.topics.forEach(topic -> index.remove(topic, queue));
    queue.end();
    byClient.remove(queue.clientId);
    leavers.add(new Leaver(queue.clientId, reason));
  }

  /** Why a client's earlier queue isn't there any more, unless it gave that up itself. */
  Optional<Loss> loss(String clientId, Optional<Cursor> known) {
    if (known.isPresent() && !known.get().epoch().equals(epoch)) {
      return Optional.of(new Loss(null, Loss.Reason.RESTART, known.get().since()));
    }
    Ended last = ended.get(clientId);
    if (last != null && (known.isEmpty() || known.get().queue() == last.number())) {
      return last.evicted()
          ? Optional.of(new Loss(null, Loss.Reason.EVICTED, last.since()))
          : Optional.empty();
    }
    return known.map(old -> new Loss(null, Loss.Reason.EVICTED, old.since()));
  }

  /** What a client without a cursor may have lost by the start, if it hasn't had a queue since. */
  Optional<Loss> lossByStart(String clientId) {
    return ended.containsKey(clientId) || time.instant().isAfter(started.plus(START_TOLD_FOR))
        ? Optional.empty()
        : Optional.of(new Loss(null, Loss.Reason.RESTART, started));
  }
}
