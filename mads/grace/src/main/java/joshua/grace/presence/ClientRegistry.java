package joshua.grace.presence;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.grace.GraceConfig;
import joshua.grace.queue.ClientQueue;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.ClientRoster;
import joshua.grace.queue.ClientView;
import joshua.network.mcp.ChangeWatchers;

/** Grace's clients as admins list and remove them. Looking doesn't count as a client's own use. */
public final class ClientRegistry {
  /** The largest number of clients in one list. */
  public static final int LISTED = 1_000;

  private final GraceConfig config;
  private final String epoch;
  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final ChangeWatchers changeWatchers;

  public ClientRegistry(
      GraceConfig config,
      String epoch,
      ConversationBus bus,
      ClientQueues queues,
      ClientPresence presence,
      ChangeWatchers changeWatchers) {
    this.config = config;
    this.epoch = epoch;
    this.bus = bus;
    this.queues = queues;
    this.presence = presence;
    this.changeWatchers = changeWatchers;
  }

  /** The most recently used clients, and how many more there are. */
  public record Page(List<ClientView> clients, int leftOut) {}

  /** One client with the topics it follows. */
  public record Whole(ClientView view, List<ChannelPattern> topics) {}

  public GraceConfig config() {
    return config;
  }

  /** The epoch of this run of Grace. */
  public String epoch() {
    return epoch;
  }

  /** The id of this instance on the bus. */
  public String instance() {
    return bus.self().instance();
  }

  /** Whether the connection to Redis is usable. */
  public boolean isBusUsable() {
    return bus.isUsable();
  }

  /** The clients whose id begins with {@code prefix}. */
  public Page page(String prefix, int most) {
    return queues.look(clientRoster -> {
      List<ClientQueue> matching =
          clientRoster.all().reversed().stream()
              .map(ClientRoster.Client::queue)
              .filter(queue -> queue.clientId().startsWith(prefix))
              .toList();
      return new Page(
          matching.stream().limit(most).map(ClientQueue::view).toList(),
          Math.max(0, matching.size() - most));
    });
  }

  public Optional<Whole> find(String clientId) {
    return queues.look(clientRoster ->
        clientRoster
            .find(clientId)
            .map(ClientRoster.Client::queue)
            .map(queue -> new Whole(queue.view(), List.copyOf(queue.topics().all()))));
  }

  /** Since when a client's messages are lost because its queue was taken away, if remembered. */
  public Optional<Instant> evictedSince(String clientId) {
    return queues.look(clientRoster -> clientRoster.evictedSince(clientId));
  }

  /**
   * Takes a client's queue away; its next call is answered as after an eviction.
   *
   * @param by the admin who asked for it
   * @return how many messages are lost by it; empty when there is no such queue
   */
  public Optional<Integer> drop(String clientId, String by) {
    Optional<ClientRoster.Eviction> eviction = queues.drop(clientId);
    eviction
        .filter(ClientRoster.Eviction::present)
        .ifPresent(_ -> presence.left(clientId, "dropped by " + by));
    eviction.ifPresent(_ -> changeWatchers.changed(clientId));
    return eviction.map(ClientRoster.Eviction::messages);
  }

  public ClientQueues.Totals totals() {
    return queues.totals();
  }
}
