package joshua.grace.presence;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import joshua.conversation.BusConnection;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.Addressee;
import joshua.grace.queue.Addressee.State;
import joshua.grace.queue.ClientActivity;

/**
 * Who gets a message: success to nobody must never look like success to somebody. It speaks of the
 * participant that the message names; somebody's wildcard that happens to match isn't the
 * addressee.
 */
public final class Audience {
  private static final Duration ANSWER_KEPT = Duration.ofSeconds(1);
  private static final int MAX_ANSWERS = 10_000;

  private record Asked(long at, CompletableFuture<Boolean> listens) {}

  private final BusConnection bus;
  private final ClientActivity clients;
  private final KnownParticipants known;
  private final LongSupplier nanoTime;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();

  /**
   * An audience.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public Audience(
      BusConnection bus, ClientActivity clients, KnownParticipants known, LongSupplier nanoTime) {
    this.bus = bus;
    this.clients = clients;
    this.known = known;
    this.nanoTime = nanoTime;
  }

  /** A sender made a call. */
  public void heard(String sender) {
    known.heard(sender);
  }

  /**
   * How many got a message: Redis' number without the taps, which receive everything, and one for
   * all clients here that follow the channel. A hint, since taps are known by their heartbeats.
   */
  public long receivers(long subscriptions, int queuesHere) {
    return Math.max(0, subscriptions - known.taps()) + (queuesHere > 0 ? 1 : 0);
  }

  /**
   * The addressee of a message on a channel, empty unless that is a direct one. Ask before the
   * message is sent: it would count as waiting otherwise.
   */
  public CompletableFuture<Optional<Addressee>> addressee(Channel channel) {
    if (channel.recipient().isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    String name = channel.recipient().get();
    Optional<Addressee> here = clients.addressee(name, channel.name());
    return here.isPresent()
        ? CompletableFuture.completedFuture(here)
        : listens(channel.name())
            .thenApply(
                listens -> Optional.of(listens ? Addressee.of(State.PRESENT) : absent(name)));
  }

  private Addressee absent(String name) {
    if (!known.isKnown(name)) {
      return new Addressee(
          State.UNKNOWN, null, null, known.listeningSince(), known.nearest(name).orElse(null));
    }
    return Addressee.of(known.areMessagesKept() ? State.KEPT : State.AWAY);
  }

  /** Whether some connection to Redis is subscribed to exactly this channel. */
  private CompletableFuture<Boolean> listens(String channel) {
    long now = nanoTime.getAsLong();
    Asked before = asked.get(channel);
    if (before != null && now - before.at() < ANSWER_KEPT.toNanos()) {
      return before.listens();
    }
    if (asked.size() >= MAX_ANSWERS) {
      asked.clear();
    }
    CompletableFuture<Boolean> listens =
        bus.subscribers(channel).thenApply(count -> count > 0).exceptionally(failure -> false);
    asked.put(channel, new Asked(now, listens));
    return listens;
  }
}
