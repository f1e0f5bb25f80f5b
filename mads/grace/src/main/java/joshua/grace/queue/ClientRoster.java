package joshua.grace.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.function.Predicate;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.grace.meter.MissedMessages;
import joshua.grace.meter.RelayMeters;
import org.jspecify.annotations.Nullable;

/**
 * The clients that have a queue, least recently used first, what each follows on the bus, and which
 * clients were evicted. Guarded by the lock of {@link ClientQueues}; following only records the
 * request and queues a command, so that the bus and the queues agree on which client follows what.
 */
public final class ClientRoster {

  /** A client: its queue, and the receiver through which the bus delivers to it. */
  public record Client(ClientQueue queue, ClientInlet inlet) {}

  private final int limit;
  private final ConversationBus bus;
  private final RelayMeters meters;
  private final LinkedHashMap<String, Client> clients = new LinkedHashMap<>();
  private final FormerClients former = new FormerClients();

  ClientRoster(int limit, ConversationBus bus, RelayMeters meters) {
    this.limit = limit;
    this.bus = bus;
    this.meters = meters;
  }

  int size() {
    return clients.size();
  }

  /** Least recently used first. */
  public SequencedCollection<Client> all() {
    return clients.sequencedValues();
  }

  /** The client, which becomes the most recently used one. */
  @Nullable Client use(String clientId) {
    Client client = clients.get(clientId);
    if (client != null) {
      clients.putLast(clientId, client);
    }
    return client;
  }

  /** The client; looking it up doesn't count as use. */
  public Optional<Client> find(String clientId) {
    return Optional.ofNullable(clients.get(clientId));
  }

  /** Whether a client has a queue, and is there. */
  public boolean isPresent(String clientId) {
    return find(clientId).filter(client -> client.queue().pulse().isPresent()).isPresent();
  }

  /** Since when a client with a queue has made no call and counts as gone; empty for others. */
  Optional<Instant> silentSince(String clientId) {
    return find(clientId)
        .map(client -> client.queue().pulse())
        .filter(clientActivity -> !clientActivity.isPresent())
        .map(ClientActivity::lastCall);
  }

  /**
   * Clients whose heartbeat is due, the longest silent first, at most {@code most}; each is marked
   * as having sent it.
   */
  List<String> takeBeatsDue(int most) {
    List<ClientQueue> due =
        clients.values().stream()
            .map(Client::queue)
            .filter(queue -> queue.pulse().isBeatDue())
            .sorted(
                Comparator.comparingLong((ClientQueue each) -> each.pulse().sinceBeat()).reversed())
            .limit(most)
            .toList();
    due.forEach(queue -> queue.pulse().beat());
    return due.stream().map(ClientQueue::clientId).toList();
  }

  /** Clients to which {@code which} applies; each is marked as having left. */
  List<String> takeLeft(Predicate<ClientActivity> which) {
    List<ClientQueue> found =
        clients.values().stream()
            .map(Client::queue)
            .filter(queue -> which.test(queue.pulse()))
            .toList();
    found.forEach(queue -> queue.pulse().left());
    return found.stream().map(ClientQueue::clientId).toList();
  }

  /**
   * Adds a client, evicting as many others as that takes.
   *
   * @return those of the evicted clients that were present
   */
  List<String> add(Client client, Instant now) {
    List<String> left = new ArrayList<>();
    while (clients.size() >= limit) {
      Eviction eviction = evict(clients.firstEntry().getValue(), now);
      if (eviction.present()) {
        left.add(eviction.clientId());
      }
    }
    clients.put(client.queue().clientId(), client);
    return left;
  }

  /**
   * The outcome of taking a client's queue away.
   *
   * @param messages that were waiting, and are lost
   * @param present whether the client was present
   */
  public record Eviction(String clientId, int messages, boolean present) {}

  /** Takes a client's queue away; its next call reports that, and since when messages are lost. */
  Eviction evict(Client client, Instant now) {
    ClientQueue queue = client.queue();
    Eviction eviction = new Eviction(queue.clientId(), queue.size(), queue.pulse().isPresent());
    former.evicted(queue.clientId(), queue.lossSince(now));
    meters.evicted(queue.clientId(), queue.size());
    remove(client);
    return eviction;
  }

  /**
   * Takes away the queue of a client that unsubscribes; what waits there doesn't count as missed.
   */
  void unsubscribe(Client client) {
    former.unsubscribed(client.queue().clientId(), client.queue().number());
    abandon(client);
  }

  private void abandon(Client client) {
    meters.unsubscribed(client.queue().size());
    remove(client);
  }

  private void remove(Client client) {
    clients.remove(client.queue().clientId());
    bus.unfollow(client.inlet(), client.queue().topics().giveUpAll());
    client.queue().end();
  }

  /**
   * Marks as followed the topics that Redis has confirmed to a call.
   *
   * @return what the client follows now; empty when some of the call's topics are no longer
   *     followed
   */
  Optional<List<ChannelPattern>> confirm(Client client, FollowedTopics.Claim claim) {
    FollowedTopics followedTopics = client.queue().topics();
    if (!followedTopics.confirm(claim)) {
      return Optional.empty();
    }
    // From now on the queue itself reports what was lost before it.
    former.forgetEviction(client.queue().clientId());
    return Optional.of(followedTopics.confirmed());
  }

  /**
   * Unfollows what only a failed call was waiting for, and closes the queue if no call was promised
   * it.
   */
  void takeBack(Client client, FollowedTopics.Claim claim) {
    FollowedTopics followedTopics = client.queue().topics();
    List<ChannelPattern> vain = followedTopics.takeBack(claim);
    if (followedTopics.areVain()) {
      abandon(client);
    } else {
      giveUp(client, vain);
    }
  }

  void giveUp(Client client, Collection<ChannelPattern> topics) {
    client.queue().topics().giveUp(topics);
    bus.unfollow(client.inlet(), topics);
  }

  /** Since when a client's messages are lost by eviction, if that is remembered. */
  public Optional<Instant> evictedSince(String clientId) {
    return former.evictedSince(clientId);
  }

  /** The same, as it is reported to the client. */
  public Optional<MissedMessages> eviction(String clientId) {
    return evictedSince(clientId)
        .map(since -> MissedMessages.unknown(MissedMessages.Reason.EVICTED, since));
  }

  /**
   * What a client has missed whose cursor belongs to an earlier queue: that queue was evicted,
   * unless the client has given it up itself.
   */
  public Optional<MissedMessages> lossSince(String clientId, QueuePosition queuePosition) {
    return former.hasGivenUp(clientId, queuePosition.queue())
        ? Optional.empty()
        : Optional.of(MissedMessages.unknown(MissedMessages.Reason.EVICTED, queuePosition.since()));
  }
}
