package joshua.grace.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.Gap;
import joshua.conversation.ReceivedMessage;
import joshua.grace.GraceConfig;
import joshua.grace.meter.DeliveryTotals;
import joshua.grace.meter.LossReport;
import joshua.grace.meter.MissedMessages;
import joshua.grace.meter.RelayMeters;
import joshua.kernel.ClockSources;
import joshua.network.mcp.ChangeWatchers;

/**
 * Everything that Grace remembers (REQ-GR-04): one bounded queue per client, the clients by how
 * recently they were used, and which clients were evicted. In memory only.
 *
 * <p>Guarded by {@code lock}. Following and unfollowing happen under it, so that the bus and the
 * queues agree on which client follows what; they only record the request and queue a command.
 */
public final class ClientQueues {
  private final ConversationBus bus;
  private final InstantSource time;
  private final LongSupplier nanoTime;
  private final RelayMeters meters;
  private final ChangeWatchers changeWatchers;
  private final KnownNames names;

  private final ReentrantLock lock = new ReentrantLock();
  private final ClientRoster clientRoster;
  private final SharedMessages sharedMessages = new SharedMessages();
  private final QueueLimits queueLimits;
  private final SubscriptionBudget budget;
  private long lastNumber;

  public ClientQueues(
      GraceConfig config,
      ConversationBus bus,
      ClockSources clockSources,
      RelayMeters meters,
      ChangeWatchers changeWatchers,
      KnownNames names) {
    this.names = names;
    this.bus = bus;
    this.time = clockSources.time();
    this.nanoTime = clockSources.nanoTime();
    this.meters = meters;
    this.changeWatchers = changeWatchers;
    this.clientRoster = new ClientRoster(config.clientLimit(), bus, meters);
    this.budget = new SubscriptionBudget(config);
    this.queueLimits = new QueueLimits(config, clientRoster, sharedMessages, meters);
    meters.watch(
        () -> locked(clientRoster::size),
        () -> locked(sharedMessages::waiting),
        () -> locked(sharedMessages::bytes));
  }

  /**
   * Adds topics, and creates a queue if there is none.
   *
   * @param rights what the client may read, at least what its queue has received so far
   * @param cursor the loss that the client's cursor reveals about an earlier queue. A new queue
   *     begins with that loss, or else with the client's eviction, if that is remembered
   */
  public Followed follow(
      String clientId,
      ReadingRights rights,
      Collection<ChannelPattern> topics,
      Optional<MissedMessages> cursor) {
    lock.lock();
    try {
      Instant now = time.instant();
      ClientRoster.Client existing = clientRoster.use(clientId);
      ClientRoster.Client client = existing == null ? newClient(clientId, rights, now) : existing;
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
      Optional<MissedMessages> lost = Optional.empty();
      if (existing == null) {
        lost = cursor.or(() -> clientRoster.eviction(clientId));
        left = clientRoster.add(client, now);
        lost.ifPresent(
            missedMessages -> queue.broken(missedMessages.reason(), missedMessages.since()));
      }
      return new SubscribeResult(
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

  /** The outcome of a request to follow topics. */
  public sealed interface Followed permits SubscribeResult, Followed.Refused {
    /** Nothing was changed; the reason, and what to do. */
    record Refused(String why) implements Followed {}
  }

  private ClientRoster.Client newClient(String clientId, ReadingRights rights, Instant now) {
    ClientQueue queue =
        new ClientQueue(
            clientId,
            ++lastNumber,
            new FollowedTopics(budget),
            lock.newCondition(),
            sharedMessages::release,
            now,
            nanoTime);
    return new ClientRoster.Client(
        queue, new ClientInlet(queue, rights, this, changeWatchers, names));
  }

  /** The position of a client whose cursor says {@code told}; nothing is released. */
  public ClientQueue.Standing standing(ClientQueue queue, Optional<QueuePosition> told) {
    return locked(() -> queue.standing(told));
  }

  /** Returns what {@code look} computes from the clients; looking doesn't count as use. */
  public <T> T look(Function<ClientRoster, T> look) {
    return locked(() -> look.apply(clientRoster));
  }

  /** Takes a client's queue away as if its place were needed; empty when the client has none. */
  public Optional<ClientRoster.Eviction> drop(String clientId) {
    return locked(() ->
        clientRoster.find(clientId).map(client -> clientRoster.evict(client, time.instant())));
  }

  /** Closes a queue that has received more than its client may now read; empty if it hasn't. */
  public Optional<ClientRoster.Eviction> endBeyond(String clientId, ReadingRights rights) {
    return locked(() ->
        clientRoster
            .find(clientId)
            .filter(client -> client.inlet().rights().compareTo(rights) > 0)
            .map(client -> clientRoster.evict(client, time.instant())));
  }

  /** What all queues hold together. */
  public record Totals(int clients, DeliveryTotals pairs, long bytes, int topics, int globs) {}

  public Totals totals() {
    return locked(() ->
        new Totals(
            clientRoster.size(),
            meters.pairs(sharedMessages.waiting()),
            sharedMessages.bytes(),
            budget.topics(),
            budget.globs()));
  }

  /**
   * Marks as followed what Redis has confirmed.
   *
   * @return what the client follows now; empty when its queue or one of the topics has gone since
   *     {@link #follow}
   */
  public Optional<List<ChannelPattern>> confirm(SubscribeResult subscribeResult) {
    return locked(() ->
        current(subscribeResult.queue())
            .flatMap(client -> clientRoster.confirm(client, subscribeResult.claim())));
  }

  /** Undoes {@link #follow}, except for what another call still waits for. */
  public void revert(SubscribeResult subscribeResult) {
    lock.lock();
    try {
      current(subscribeResult.queue())
          .ifPresent(client -> clientRoster.takeBack(client, subscribeResult.claim()));
    } finally {
      lock.unlock();
    }
  }

  private Optional<ClientRoster.Client> current(ClientQueue queue) {
    return queue.isGone() ? Optional.empty() : clientRoster.find(queue.clientId());
  }

  /** The topics left after an unsubscription, and whether the client's queue went with the last. */
  public record Remaining(List<ChannelPattern> topics, boolean left) {}

  /**
   * Unfollows topics or, if none are named, closes the queue.
   *
   * @return empty when the client has no queue
   */
  public Optional<Remaining> unfollow(String clientId, Optional<List<ChannelPattern>> topics) {
    return locked(() -> {
      ClientRoster.Client client = clientRoster.use(clientId);
      if (client == null) {
        return Optional.empty();
      }
      client.queue().pulse().called(time.instant());
      if (topics.isEmpty()) {
        clientRoster.unsubscribe(client);
        return Optional.of(new Remaining(List.of(), true));
      }
      clientRoster.giveUp(client, topics.get());
      return Optional.of(new Remaining(List.copyOf(client.queue().topics().all()), false));
    });
  }

  /** Begins a poll, and releases what its cursor acknowledges; empty if there is no queue. */
  public Optional<PendingPoll> beginPoll(
      String clientId,
      Optional<QueuePosition> told,
      boolean cursor,
      Optional<MissedMessages> foreign) {
    lock.lock();
    try {
      ClientRoster.Client client = clientRoster.use(clientId);
      if (client == null) {
        return Optional.empty();
      }
      ClientQueue queue = client.queue();
      Instant now = time.instant();
      boolean came = queue.pulse().called(now);
      Optional<QueuePosition> here =
          told.filter(queuePosition -> queuePosition.queue() == queue.number());
      QueuePosition queuePosition = here.map(at -> acknowledge(queue, at)).orElse(queue.reached());
      Optional<MissedMessages> lost =
          told.isPresent() && here.isEmpty()
              ? told.flatMap(at -> clientRoster.lossSince(clientId, at))
              : foreign;
      return Optional.of(
          new PendingPoll(queue, queue.beginPoll(now, cursor), queuePosition, cursor, lost, came));
    } finally {
      lock.unlock();
    }
  }

  private QueuePosition acknowledge(ClientQueue queue, QueuePosition told) {
    int before = queue.size();
    QueuePosition queuePosition = queue.acknowledge(told);
    meters.delivered(before - queue.size());
    return queuePosition;
  }

  /** The slice that {@link #finish} would take, if it can be taken without waiting. */
  public Optional<PendingPoll.Taken> takeNow(
      PendingPoll pendingPoll, boolean mayWait, int most, long mostBytes) {
    return locked(() ->
        mayWait && !pendingPoll.hasAnswer()
            ? Optional.empty()
            : Optional.of(take(pendingPoll, most, mostBytes)));
  }

  /** Waits for news, for {@code wait} at most, and takes it. */
  public PendingPoll.Taken finish(PendingPoll pendingPoll, Duration wait, int most, long mostBytes)
      throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lockInterruptibly();
    pendingPoll.queue().pollWaits();
    try {
      while (!pendingPoll.hasAnswer() && nanos > 0) {
        nanos = pendingPoll.queue().changed().awaitNanos(nanos);
      }
      return take(pendingPoll, most, mostBytes);
    } finally {
      pendingPoll.queue().pollWaitsNoLonger();
      lock.unlock();
    }
  }

  private PendingPoll.Taken take(PendingPoll pendingPoll, int most, long mostBytes) {
    ClientQueue queue = pendingPoll.queue();
    if (queue.isGone()) {
      return new PendingPoll.Taken(Optional.empty());
    }
    if (pendingPoll.isOvertaken()) {
      return new PendingPoll.Taken(Optional.of(queue.nothing(pendingPoll.position())));
    }
    Instant now = time.instant();
    ClientQueue.Page page = queue.page(pendingPoll.position(), most, mostBytes, now);
    if (!pendingPoll.cursor()) {
      acknowledge(queue, page.position());
    }
    queue.pulse().called(now);
    return new PendingPoll.Taken(
        Optional.of(pendingPoll.foreign().map(page::missing).orElse(page)));
  }

  /**
   * Records that a client is there.
   *
   * @return whether it has a queue and has just come back
   */
  public boolean called(String clientId) {
    return locked(() -> {
      ClientRoster.Client client = clientRoster.use(clientId);
      return client != null && client.queue().pulse().called(time.instant());
    });
  }

  /** Since when a client with a queue has been silent for so long that it counts as gone. */
  public Optional<Instant> silentSince(String clientId) {
    return locked(() -> clientRoster.silentSince(clientId));
  }

  /** Whether a message answers a request that the queue's client has sent and still waits on. */
  boolean isReply(ClientQueue queue, Envelope envelope) {
    return bus.isReply(queue.clientId(), envelope);
  }

  /** Puts a message into a queue. */
  void accept(ClientQueue queue, ReceivedMessage receivedMessage) {
    lock.lock();
    try {
      if (queue.isGone()) {
        return;
      }
      Instant now = time.instant();
      queueLimits.makePlace(queue, now);
      meters.matched();
      queue.add(sharedMessages.hold(receivedMessage));
      queueLimits.keepBytes(now);
    } finally {
      lock.unlock();
    }
  }

  /** Records that messages for a queue may be missing. */
  void breakOff(ClientQueue queue, Gap gap) {
    MissedMessages.Reason reason = MissedMessages.Reason.of(gap.reason());
    lock.lock();
    try {
      queue.broken(reason, gap.since());
      meters.broken(queue.clientId(), reason);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The delivery totals at one moment, and the clients that lost messages since the last report.
   */
  public record Account(DeliveryTotals pairs, List<LossReport.Loser> losers) {}

  public Account account(int mostLosers) {
    return locked(
        () -> new Account(meters.pairs(sharedMessages.waiting()), meters.takeLosers(mostLosers)));
  }

  public void giveBack(List<LossReport.Loser> untold) {
    lock.lock();
    try {
      meters.giveBack(untold);
    } finally {
      lock.unlock();
    }
  }

  /** Clients whose heartbeat is due, at most {@code most}; each is marked as having sent it. */
  public List<String> takeBeatsDue(int most) {
    return locked(() -> clientRoster.takeBeatsDue(most));
  }

  /** Clients silent for so long that they count as gone; each is marked as having left. */
  public List<String> takeAbsent() {
    return locked(() -> clientRoster.takeLeft(ClientActivity::isAbsent));
  }

  /** All clients that are present; each is marked as having left. */
  public List<String> takePresent() {
    return locked(() -> clientRoster.takeLeft(ClientActivity::isPresent));
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
