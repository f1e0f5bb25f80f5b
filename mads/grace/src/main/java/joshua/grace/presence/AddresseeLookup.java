package joshua.grace.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import joshua.conversation.RelayReports;
import joshua.conversation.RelayReports.Report;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.grace.queue.AddresseeState;
import joshua.grace.queue.AddresseeState.State;
import joshua.grace.queue.ClientPresence;
import joshua.kernel.Identifiers;
import joshua.kernel.SpellingSuggestion;
import joshua.service.ServiceContext;

/**
 * The lookup of a message's addressee and the count of its receivers, so that a send to nobody
 * never looks like a success. The addressee is the participant that the message names, not one
 * whose wildcard happens to match. Names come from all messages since the start of this relay;
 * beyond the limit the least recently heard is forgotten.
 */
public final class AddresseeLookup {
  private static final Duration ANSWER_KEPT = Duration.ofSeconds(1);
  private static final int MAX_ANSWERS = 10_000;
  private static final int MAX_COMPARED = 1_000;
  private static final int MAX_NAMES = 50_000;
  private static final Duration TAP_ALIVE = Duration.ofSeconds(15);

  private record Asked(long at, CompletableFuture<Boolean> listens) {}

  private final ServiceContext context;
  private final ClientPresence clients;
  private final BooleanSupplier isArchived;
  private final Instant listeningSince;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private final LinkedHashSet<String> names = new LinkedHashSet<>(); // by when they were heard
  private final Map<String, Long> taps = new ConcurrentHashMap<>();
  private final RelayReports relays = new RelayReports();

  public AddresseeLookup(
      ServiceContext context, ClientPresence clients, BooleanSupplier isArchived) {
    this.isArchived = isArchived;
    this.context = context;
    this.clients = clients;
    this.listeningSince = context.time().instant();
  }

  public void heard(String name) {
    synchronized (names) {
      names.addLast(name);
      if (names.size() > MAX_NAMES) {
        names.removeFirst();
      }
    }
  }

  /** Records what a message tells of its sender, of a relay, or of a service's tap. */
  void said(Envelope envelope) {
    String sender = envelope.senderId();
    heard(sender);
    relays.take(envelope, context.time().instant());
    if (envelope.channel().equals(Channel.HEARTBEAT) && context.access().isService(sender)) {
      String tap = envelope.payload().path("detail").path("tap").asText();
      if (Identifiers.isName(tap)) {
        taps.put(tap, System.nanoTime());
      }
    }
  }

  /**
   * The number of receivers of a message: Redis' number without the taps, which receive everything,
   * plus one for each relay with clients that follow the channel. An estimate, since taps are known
   * by heartbeats.
   */
  public long receivers(String channel, long subscriptions, int queuesHere) {
    long now = System.nanoTime();
    taps.put(context.self().instance(), now); // the id of its process' tap
    taps.values().removeIf(beat -> now - beat > TAP_ALIVE.toNanos());
    return Math.max(0, subscriptions - taps.size())
        + (queuesHere > 0 ? 1 : 0)
        + otherRelays().filter(report -> report.reaches(channel)).count();
  }

  /** The other relays at which a client has a queue for what is sent to it, by their instances. */
  public List<String> alsoAt(String clientId) {
    String channel = Channel.direct(clientId).name();
    return otherRelays()
        .filter(report -> report.patterns().getOrDefault(channel, 0) > 0)
        .map(Report::instance)
        .sorted()
        .toList();
  }

  private Stream<Report> otherRelays() {
    return relays.alive(context.time().instant()).stream()
        .filter(report -> !report.instance().equals(context.self().instance()));
  }

  /**
   * The addressee of a message on a channel, empty unless that is a direct one. Ask before the
   * message is sent: it would count as waiting otherwise.
   */
  public CompletableFuture<Optional<AddresseeState>> addressee(Channel channel) {
    if (channel.recipient().isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    String name = channel.recipient().get();
    Optional<AddresseeState> here =
        context.bus().transport().isReceiving()
            ? clients.addressee(name, channel.name())
            : Optional.empty(); // it won't get into a queue here
    Optional<AddresseeState> queued =
        here.or(() -> alsoAt(name).stream().findFirst().map(AddresseeState::queuedAt));
    return queued.isPresent()
        ? CompletableFuture.completedFuture(queued)
        : listens(channel.name())
            .thenApply(listens ->
                Optional.of(
                    listens ? AddresseeState.of(State.PRESENT, null, null, false) : absent(name)));
  }

  private AddresseeState absent(String name) {
    boolean kept = context.bus().transport().isReceiving() && isArchived.getAsBoolean();
    List<String> latest;
    synchronized (names) {
      if (names.contains(name)) {
        return AddresseeState.of(kept ? State.KEPT : State.AWAY, null, null, kept);
      }
      latest = names.stream().skip(Math.max(0, names.size() - MAX_COMPARED)).toList();
    }
    String near = SpellingSuggestion.nearest(name, latest).orElse(null);
    return AddresseeState.of(State.UNKNOWN, listeningSince, near, kept);
  }

  /** Whether some connection to Redis is subscribed to exactly this channel. */
  CompletableFuture<Boolean> listens(String channel) {
    long now = System.nanoTime();
    Asked before = asked.get(channel);
    if (before != null && now - before.at() < ANSWER_KEPT.toNanos()) {
      return before.listens();
    }
    if (asked.size() >= MAX_ANSWERS) {
      asked.clear();
    }
    CompletableFuture<Boolean> listens =
        context
            .bus()
            .transport()
            .subscriberCounts(Set.of(channel))
            .thenApply(counts -> counts.getOrDefault(channel, 0L) > 0)
            .exceptionally(failure -> false);
    asked.put(channel, new Asked(now, listens));
    return listens;
  }
}
