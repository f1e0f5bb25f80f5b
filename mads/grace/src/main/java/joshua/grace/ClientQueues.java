package joshua.grace;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Delivery;
import joshua.conversation.Envelope;
import joshua.conversation.Gap;
import joshua.kernel.Clocks;
import joshua.network.mcp.Watchers;

/**
 * Everything that Grace remembers (REQ-GR-04): a bounded queue a client, the clients by how
 * recently they were used, and who was evicted. In memory only.
 *
 * <p>Guarded by {@code lock}. Following and unfollowing happen under it, so that the bus and the
 * queues agree on who follows what; they only note the wish and queue a command.
 */
final class ClientQueues {
  private final ConversationBus bus;
  private final InstantSource time;
  private final LongSupplier nanoTime;
  private final RelayMeters meters;
  private final Watchers watchers;
  private final KnownNames names;

  private final ReentrantLock lock = new ReentrantLock();
  private final Roster roster;
  private final Holdings holdings = new Holdings();
  private final Bounds bounds;
  private final SubscriptionBudget budget;
  private long lastNumber;

  ClientQueues(
      GraceConfig config,
      ConversationBus bus,
      Clocks clocks,
      RelayMeters meters,
      Watchers watchers,
      KnownNames names) {
    this.names = names;
    this.bus = bus;
    this.time = clocks.time();
    this.nanoTime = clocks.nanoTime();
    this.meters = meters;
    this.watchers = watchers;
    this.roster = new Roster(config.clientLimit(), bus, meters);
    this.budget = new SubscriptionBudget(config);
    this.bounds = new Bounds(config, roster, holdings, meters);
    meters.watch(
        () -> locked(roster::size), () -> locked(holdings::waiting), () -> locked(holdings::bytes));
  }

  /**
   * Adds topics, and makes a queue where there is none.
   *
   * @param rights what the client may read, no less than its queue was given so far
   * @param cursor what the client's cursor tells of an earlier queue. A new one begins with that
   *     loss, or else with the client's eviction, if that is remembered
   */
  Followed follow(
      String clientId,
      ReadingRights rights,
      Collection<ChannelPattern> topics,
      Optional<Missed> cursor) {
    lock.lock();
    try {
      Instant now = time.instant();
      Roster.Client existing = roster.use(clientId);
      Roster.Client client = existing == null ? newClient(clientId, rights, now) : existing;
      ClientQueue queue = client.queue();
      Optional<String> tooMany = queue.topics().refusal(topics);
      if (tooMany.isPresent()) {
        return new Followed.Refused(tooMany.get());
      }
      if (client.inlet().rights() != rights) {
        client.inlet().raise(rights);
        bus.reconsider(queue.topics().all());
      }
      List<String> left = List.of();
      Optional<Missed> lost = Optional.empty();
      if (existing == null) {
        lost = cursor.or(() -> roster.eviction(clientId));
        left = roster.add(client, now);
        lost.ifPresent(missed -> queue.broken(missed.reason(), missed.since()));
      }
      return new Following(
          queue,
          queue.topics().claim(topics),
          existing == null,
          lost,
          queue.pulse().called(now),
          left,
          bus.followAsync(client.inlet(), topics));
    } finally {
      lock.unlock();
    }
  }

  /** What a wish to follow comes to. */
  sealed interface Followed permits Following, Followed.Refused {
    /** Nothing was changed; why, and what to do. */
    record Refused(String why) implements Followed {}
  }

  private Roster.Client newClient(String clientId, ReadingRights rights, Instant now) {
    ClientQueue queue =
        new ClientQueue(
            clientId,
            ++lastNumber,
            new Topics(budget),
            lock.newCondition(),
            holdings::release,
            now,
            nanoTime);
    return new Roster.Client(queue, new ClientInlet(queue, rights, this, watchers, names));
  }

  /** Where a client stands that says it was at {@code told}; nothing is released. */
  ClientQueue.Standing standing(ClientQueue queue, Optional<Position> told) {
    return locked(() -> queue.standing(told));
  }

  /** Gives what {@code look} makes of the clients; looking isn't using. */
  <T> T look(Function<Roster, T> look) {
    return locked(() -> look.apply(roster));
  }

  /** Takes a client's queue away as if others had needed its place; empty when it has none. */
  Optional<Roster.Eviction> drop(String clientId) {
    return locked(() -> roster.find(clientId).map(client -> roster.evict(client, time.instant())));
  }

  /** Ends a queue that was given more than its client may read now; empty if it wasn't. */
  Optional<Roster.Eviction> endBeyond(String clientId, ReadingRights rights) {
    return locked(() ->
        roster
            .find(clientId)
            .filter(client -> client.inlet().rights().compareTo(rights) > 0)
            .map(client -> roster.evict(client, time.instant())));
  }

  /** What all queues hold together. */
  record Totals(int clients, Pairs pairs, long bytes, int topics, int globs) {}

  Totals totals() {
    return locked(() ->
        new Totals(
            roster.size(),
            meters.pairs(holdings.waiting()),
            holdings.bytes(),
            budget.topics(),
            budget.globs()));
  }

  /**
   * Holds what Redis has confirmed.
   *
   * @return what the client follows now; empty when its queue or one of the topics has gone since
   *     {@link #follow}
   */
  Optional<List<ChannelPattern>> confirm(Following following) {
    return locked(() ->
        current(following.queue()).flatMap(client -> roster.confirm(client, following.claim())));
  }

  /** Takes back what {@link #follow} did, but for what another call still waits for. */
  void revert(Following following) {
    lock.lock();
    try {
      current(following.queue()).ifPresent(client -> roster.takeBack(client, following.claim()));
    } finally {
      lock.unlock();
    }
  }

  private Optional<Roster.Client> current(ClientQueue queue) {
    return queue.isGone() ? Optional.empty() : roster.find(queue.clientId());
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
      Roster.Client client = roster.use(clientId);
      if (client == null) {
        return Optional.empty();
      }
      client.queue().pulse().called(time.instant());
      if (topics.isEmpty()) {
        roster.unsubscribe(client);
        return Optional.of(new Remaining(List.of(), true));
      }
      roster.giveUp(client, topics.get());
      return Optional.of(new Remaining(List.copyOf(client.queue().topics().all()), false));
    } finally {
      lock.unlock();
    }
  }

  /** Begins a poll, and releases what its cursor acknowledges; empty when there is no queue. */
  Optional<Poll> beginPoll(
      String clientId, Optional<Position> told, boolean cursor, Optional<Missed> foreign) {
    lock.lock();
    try {
      Roster.Client client = roster.use(clientId);
      if (client == null) {
        return Optional.empty();
      }
      ClientQueue queue = client.queue();
      Instant now = time.instant();
      boolean came = queue.pulse().called(now);
      Optional<Position> here = told.filter(position -> position.queue() == queue.number());
      Position position = here.map(at -> acknowledge(queue, at)).orElse(queue.reached());
      Optional<Missed> lost =
          told.isPresent() && here.isEmpty()
              ? told.flatMap(at -> roster.lossSince(clientId, at))
              : foreign;
      return Optional.of(
          new Poll(queue, queue.beginPoll(now, cursor), position, cursor, lost, came));
    } finally {
      lock.unlock();
    }
  }

  private Position acknowledge(ClientQueue queue, Position told) {
    int before = queue.size();
    Position position = queue.acknowledge(told);
    meters.delivered(before - queue.size());
    return position;
  }

  /** The slice that {@link #finish} would take, if it can be taken without waiting. */
  Optional<Poll.Taken> takeNow(Poll poll, boolean mayWait, int most, long mostBytes) {
    return locked(() ->
        mayWait && !poll.hasAnswer() ? Optional.empty() : Optional.of(take(poll, most, mostBytes)));
  }

  /** Waits for something to tell, for {@code wait} at most, and takes it. */
  Poll.Taken finish(Poll poll, Duration wait, int most, long mostBytes)
      throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lockInterruptibly();
    poll.queue().pollWaits();
    try {
      while (!poll.hasAnswer() && nanos > 0) {
        nanos = poll.queue().changed().awaitNanos(nanos);
      }
      return take(poll, most, mostBytes);
    } finally {
      poll.queue().pollWaitsNoLonger();
      lock.unlock();
    }
  }

  private Poll.Taken take(Poll poll, int most, long mostBytes) {
    ClientQueue queue = poll.queue();
    if (queue.isGone()) {
      return new Poll.Taken(Optional.empty());
    }
    if (poll.isOvertaken()) {
      return new Poll.Taken(Optional.of(queue.nothing(poll.position())));
    }
    Instant now = time.instant();
    ClientQueue.Page page = queue.page(poll.position(), most, mostBytes, now);
    if (!poll.cursor()) {
      acknowledge(queue, page.position());
    }
    queue.pulse().called(now);
    return new Poll.Taken(Optional.of(poll.foreign().map(page::missing).orElse(page)));
  }

  /**
   * Notes that a client is there.
   *
   * @return whether it has a queue and has just come back
   */
  boolean called(String clientId) {
    return locked(() -> {
      Roster.Client client = roster.use(clientId);
      return client != null && client.queue().pulse().called(time.instant());
    });
  }

  /** Since when a client with a queue has been silent for so long that it counts as gone. */
  Optional<Instant> silentSince(String clientId) {
    return locked(() -> roster.silentSince(clientId));
  }

  /** How many clients here would receive what is sent on {@code channel}. */
  long matching(Channel channel) {
    return bus.receiversOf(channel).stream().filter(ClientInlet.class::isInstance).count();
  }

  /** Whether a message goes to a request of a queue's client that awaits its reply. */
  boolean isReply(ClientQueue queue, Envelope envelope) {
    return bus.isReply(queue.clientId(), envelope);
  }

  /** Puts a message into a queue. */
  void accept(ClientQueue queue, Delivery delivery) {
    lock.lock();
    try {
      if (queue.isGone()) {
        return;
      }
      Instant now = time.instant();
      bounds.makePlace(queue, now);
      meters.matched();
      queue.add(holdings.hold(delivery));
      bounds.keepBytes(now);
    } finally {
      lock.unlock();
    }
  }

  /** Notes that messages for a queue may be missing. */
  void breakOff(ClientQueue queue, Gap gap) {
    Missed.Reason reason = Missed.Reason.of(gap.reason());
    lock.lock();
    try {
      queue.broken(reason, gap.since());
      meters.broken(queue.clientId(), reason);
    } finally {
      lock.unlock();
    }
  }

  /** What the ledger tells: the pairs at one moment, and who lost messages since the last look. */
  record Account(Pairs pairs, List<Losers.Loser> losers) {}

  Account account(int mostLosers) {
    return locked(
        () -> new Account(meters.pairs(holdings.waiting()), meters.takeLosers(mostLosers)));
  }

  void giveBack(List<Losers.Loser> untold) {
    lock.lock();
    try {
      meters.giveBack(untold);
    } finally {
      lock.unlock();
    }
  }

  /** Who has a beat due, at most {@code most} of them; each is taken as having beaten. */
  List<String> takeBeatsDue(int most) {
    return locked(() -> roster.takeBeatsDue(most));
  }

  /** Who has made no call for so long that it counts as gone; each is taken as having left. */
  List<String> takeAbsent() {
    return takeLeft(Pulse::isAbsent);
  }

  /** Everybody who is present; each is taken as having left. */
  List<String> takePresent() {
    return takeLeft(Pulse::isPresent);
  }

  private List<String> takeLeft(Predicate<Pulse> which) {
    return locked(() -> {
      List<ClientQueue> found =
          roster.all().stream()
              .map(Roster.Client::queue)
              .filter(queue -> which.test(queue.pulse()))
              .toList();
      found.forEach(queue -> queue.pulse().left());
      return found.stream().map(ClientQueue::clientId).toList();
    });
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
