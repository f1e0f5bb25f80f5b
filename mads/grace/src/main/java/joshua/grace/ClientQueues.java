package joshua.grace;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Delivery;
import joshua.conversation.Gap;
import joshua.conversation.Receiver;

/**
 * Everything that Grace remembers (REQ-GR-04): a bounded queue a client, the clients by how
 * recently they were used, and who was evicted. In memory only.
 *
 * <p>Guarded by {@code lock}. Following and unfollowing happen under it, so that the bus and the
 * queues agree on who follows what; they only note the wish and queue a command.
 */
final class ClientQueues {
  /** Topics that one client follows. */
  static final int TOPIC_LIMIT = 1_000;

  private final GraceConfig config;
  private final ConversationBus bus;
  private final InstantSource time;
  private final RelayMeters meters;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, Inlet> inlets = new LinkedHashMap<>(16, 0.75f, true);
  private final IdentityHashMap<Delivery, Integer> holders = new IdentityHashMap<>();
  private final Evicted evicted = new Evicted();
  private long heldBytes;
  private long waiting;
  private long lastNumber;

  ClientQueues(GraceConfig config, ConversationBus bus, InstantSource time, RelayMeters meters) {
    this.config = config;
    this.bus = bus;
    this.time = time;
    this.meters = meters;
    meters.watch(this::clients, this::waiting, this::heldBytes);
  }

  /** Where the bus puts what one client receives. */
  private final class Inlet implements Receiver {
    private final ClientQueue queue;

    Inlet(ClientQueue queue) {
      this.queue = queue;
    }

    @Override
    public void deliver(Delivery delivery) {
      accept(queue, delivery);
    }

    @Override
    public void missed(Gap gap) {
      breakOff(queue, gap);
    }
  }

  /**
   * What a subscription came to.
   *
   * @param added the topics that are new for this client
   * @param created whether the queue is new, too
   * @param came whether the client has just come
   * @param left the clients that were evicted to make place
   * @param confirmed completes when Redis delivers all of them
   */
  record Following(
      ClientQueue queue,
      List<ChannelPattern> added,
      List<ChannelPattern> topics,
      boolean created,
      boolean came,
      List<String> left,
      CompletableFuture<Void> confirmed) {}

  /**
   * Adds topics, and makes a queue where there is none.
   *
   * @param lost what a new queue begins with: the fate of the client's earlier one
   * @return empty when the client would follow more than {@link #TOPIC_LIMIT}
   */
  Optional<Following> follow(
      String clientId, Collection<ChannelPattern> topics, Optional<Missed> lost) {
    lock.lock();
    try {
      Instant now = time.instant();
      Inlet existing = inlets.get(clientId);
      Inlet inlet = existing == null ? newInlet(clientId, now) : existing;
      ClientQueue queue = inlet.queue;
      List<ChannelPattern> added =
          topics.stream().distinct().filter(topic -> !queue.topics().contains(topic)).toList();
      if (queue.topics().size() + added.size() > TOPIC_LIMIT) {
        return Optional.empty();
      }
      List<String> left = List.of();
      if (existing == null) {
        left = makePlace(now);
        inlets.put(clientId, inlet);
        lost.ifPresent(missed -> queue.broken(missed.reason(), missed.since()));
        evicted.forget(clientId);
      }
      queue.topics().addAll(added);
      return Optional.of(
          new Following(
              queue,
              added,
              List.copyOf(queue.topics()),
              existing == null,
              queue.pulse().called(now),
              left,
              bus.followAsync(inlet, topics)));
    } finally {
      lock.unlock();
    }
  }

  private Inlet newInlet(String clientId, Instant now) {
    return new Inlet(
        new ClientQueue(clientId, ++lastNumber, lock.newCondition(), this::release, now));
  }

  private List<String> makePlace(Instant now) {
    List<String> left = new ArrayList<>();
    while (inlets.size() >= config.clientLimit()) {
      Inlet oldest = inlets.firstEntry().getValue();
      ClientQueue queue = oldest.queue;
      evicted.add(queue.clientId(), now);
      meters.evicted(queue.size());
      if (queue.pulse().isPresent()) {
        left.add(queue.clientId());
      }
      remove(oldest);
    }
    return left;
  }

  private void remove(Inlet inlet) {
    inlets.remove(inlet.queue.clientId());
    bus.unfollow(inlet, inlet.queue.topics());
    inlet.queue.end();
  }

  /**
   * Where a client stands in its queue.
   *
   * @param position where it stands once it has been told of {@code missed}
   * @param same whether the cursor it came with belongs to this queue
   */
  record Standing(Position position, boolean same, Optional<Missed> missed) {}

  /** Where a client stands that says it was at {@code told}; nothing is released. */
  Standing standing(ClientQueue queue, Optional<Position> told) {
    lock.lock();
    try {
      Optional<Position> here = told.filter(position -> position.queue() == queue.number());
      Position position = here.orElseGet(queue::reached);
      return new Standing(
          queue.toldOfLosses(position), here.isPresent() || told.isEmpty(), queue.missed(position));
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what {@link #follow} did, when Redis hasn't confirmed it. */
  void revert(Following following) {
    lock.lock();
    try {
      ClientQueue queue = following.queue();
      if (following.created()) {
        current(queue).ifPresent(this::remove);
      } else {
        current(queue).ifPresent(inlet -> drop(inlet, following.added()));
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<Inlet> current(ClientQueue queue) {
    return queue.isGone() ? Optional.empty() : Optional.ofNullable(inlets.get(queue.clientId()));
  }

  private void drop(Inlet inlet, Collection<ChannelPattern> topics) {
    inlet.queue.topics().removeAll(Set.copyOf(topics));
    bus.unfollow(inlet, topics);
  }

  /** What is left after an unsubscription: the topics, and whether the client has gone with all. */
  record Remaining(List<ChannelPattern> topics, boolean left) {}

  /**
   * Gives topics up, or, with none named, the queue.
   *
   * @return empty when the client has no queue
   */
  Optional<Remaining> unfollow(String clientId, Optional<List<ChannelPattern>> topics) {
    lock.lock();
    try {
      Inlet inlet = inlets.get(clientId);
      if (inlet == null) {
        return Optional.empty();
      }
      inlet.queue.pulse().called(time.instant());
      if (topics.isEmpty()) {
        meters.unsubscribed(inlet.queue.size());
        remove(inlet);
        return Optional.of(new Remaining(List.of(), true));
      }
      drop(inlet, topics.get());
      return Optional.of(new Remaining(List.copyOf(inlet.queue.topics()), false));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A poll under way.
   *
   * @param number later polls of the same client have greater ones
   * @param cursor whether the client acknowledges by cursors
   * @param foreign what a cursor of an earlier queue tells
   * @param came whether the client has just come back
   */
  record Poll(
      ClientQueue queue,
      long number,
      Position position,
      boolean cursor,
      Optional<Missed> foreign,
      boolean came) {}

  /** Begins a poll, and releases what its cursor acknowledges; empty when there is no queue. */
  Optional<Poll> beginPoll(
      String clientId, Optional<Position> told, boolean cursor, Optional<Missed> foreign) {
    lock.lock();
    try {
      Inlet inlet = inlets.get(clientId);
      if (inlet == null) {
        return Optional.empty();
      }
      ClientQueue queue = inlet.queue;
      boolean came = queue.pulse().called(time.instant());
      Optional<Position> here = told.filter(position -> position.queue() == queue.number());
      Position position = here.map(queue::acknowledge).orElse(queue.reached());
      Optional<Missed> lost =
          told.isPresent() && here.isEmpty() ? told.map(ClientQueues::evictedSince) : foreign;
      return Optional.of(new Poll(queue, queue.beginPoll(), position, cursor, lost, came));
    } finally {
      lock.unlock();
    }
  }

  private static Missed evictedSince(Position position) {
    return Missed.unknown(Missed.Reason.EVICTED, position.since());
  }

  /** The slice that {@link #finish} would take, if it can be taken without waiting. */
  Optional<Taken> takeNow(Poll poll, boolean mayWait, int most, long mostBytes) {
    lock.lock();
    try {
      return mayWait && !hasAnswer(poll)
          ? Optional.empty()
          : Optional.of(take(poll, most, mostBytes));
    } finally {
      lock.unlock();
    }
  }

  private static boolean hasAnswer(Poll poll) {
    return poll.queue().isGone()
        || !poll.queue().isLatestPoll(poll.number())
        || poll.foreign().isPresent()
        || poll.queue().hasNews(poll.position());
  }

  /** What a poll took: a slice, or nothing because the queue has gone meanwhile. */
  record Taken(Optional<ClientQueue.Page> page) {}

  /** Waits for something to tell, for {@code wait} at most, and takes it. */
  Taken finish(Poll poll, Duration wait, int most, long mostBytes) throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lockInterruptibly();
    try {
      while (!hasAnswer(poll) && nanos > 0) {
        nanos = poll.queue().changed().awaitNanos(nanos);
      }
      return take(poll, most, mostBytes);
    } finally {
      lock.unlock();
    }
  }

  private Taken take(Poll poll, int most, long mostBytes) {
    ClientQueue queue = poll.queue();
    if (queue.isGone()) {
      return new Taken(Optional.empty());
    }
    if (!queue.isLatestPoll(poll.number())) {
      return new Taken(Optional.of(queue.nothing(poll.position())));
    }
    Instant now = time.instant();
    ClientQueue.Page page = queue.page(poll.position(), most, mostBytes, now);
    meters.delivered(page.messages().size());
    if (!poll.cursor()) {
      queue.acknowledge(page.position());
    }
    queue.pulse().called(now);
    return new Taken(Optional.of(poll.foreign().map(page::missing).orElse(page)));
  }

  /**
   * Notes that a client is there.
   *
   * @return whether it has a queue and has just come back
   */
  boolean called(String clientId) {
    lock.lock();
    try {
      Inlet inlet = inlets.get(clientId);
      return inlet != null && inlet.queue.pulse().called(time.instant());
    } finally {
      lock.unlock();
    }
  }

  /** When a client's queue was evicted, if it is remembered. */
  Optional<Instant> evictedSince(String clientId) {
    lock.lock();
    try {
      return evicted.since(clientId);
    } finally {
      lock.unlock();
    }
  }

  /** How many clients here would receive what is sent on {@code channel}. */
  long matching(Channel channel) {
    return bus.receiversOf(channel).stream().filter(Inlet.class::isInstance).count();
  }

  private void accept(ClientQueue queue, Delivery delivery) {
    lock.lock();
    try {
      if (queue.isGone()) {
        return;
      }
      if (queue.size() == config.queueLimit()) {
        overflow(queue);
      }
      if (holders.merge(delivery, 1, Integer::sum) == 1) {
        heldBytes += delivery.body().length;
      }
      waiting++;
      meters.matched();
      queue.add(delivery);
      if (heldBytes > config.queueBytes()) {
        dropOldestOfTheLeastRecentlyUsed();
      }
    } finally {
      lock.unlock();
    }
  }

  private void overflow(ClientQueue queue) {
    queue.drop(time.instant());
    meters.overflowed();
  }

  private void dropOldestOfTheLeastRecentlyUsed() {
    for (Inlet inlet : inlets.sequencedValues()) {
      while (inlet.queue.size() > 0 && heldBytes > config.queueBytes()) {
        overflow(inlet.queue);
      }
      if (heldBytes <= config.queueBytes()) {
        return;
      }
    }
  }

  private void release(Delivery delivery) {
    waiting--;
    int left = holders.merge(delivery, -1, Integer::sum);
    if (left == 0) {
      holders.remove(delivery);
      heldBytes -= delivery.body().length;
    }
  }

  private void breakOff(ClientQueue queue, Gap gap) {
    Missed.Reason reason =
        switch (gap.reason()) {
          case OVERFLOW -> Missed.Reason.OVERFLOW;
          case RECONNECT -> Missed.Reason.RECONNECT;
        };
    lock.lock();
    try {
      queue.broken(reason, gap.since());
    } finally {
      lock.unlock();
    }
  }

  /** Who has a beat due, at most {@code most} of them; each is taken as having beaten. */
  List<String> takeBeatsDue(int most) {
    lock.lock();
    try {
      Instant now = time.instant();
      List<ClientQueue> due =
          inlets.sequencedValues().stream()
              .map(inlet -> inlet.queue)
              .filter(queue -> queue.pulse().isBeatDue(now))
              .limit(most)
              .toList();
      due.forEach(queue -> queue.pulse().beat(now));
      return due.stream().map(ClientQueue::clientId).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Who has made no call for so long that it counts as gone; each is taken as having left. */
  List<String> takeAbsent() {
    lock.lock();
    try {
      Instant now = time.instant();
      List<ClientQueue> absent =
          inlets.sequencedValues().stream()
              .map(inlet -> inlet.queue)
              .filter(queue -> queue.pulse().isAbsentSince(now))
              .toList();
      absent.forEach(queue -> queue.pulse().left());
      return absent.stream().map(ClientQueue::clientId).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Everybody who is present. */
  List<String> present() {
    lock.lock();
    try {
      return inlets.sequencedValues().stream()
          .map(inlet -> inlet.queue)
          .filter(queue -> queue.pulse().isPresent())
          .map(ClientQueue::clientId)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private long clients() {
    return locked(inlets::size);
  }

  private long waiting() {
    return locked(() -> waiting);
  }

  private long heldBytes() {
    return locked(() -> heldBytes);
  }

  private long locked(java.util.function.Supplier<? extends Number> number) {
    lock.lock();
    try {
      return number.get().longValue();
    } finally {
      lock.unlock();
    }
  }
}
