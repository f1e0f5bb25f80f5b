package joshua.rogers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import joshua.conversation.BusConnection;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RelayReports.Report;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.count.BusTap;
import joshua.rogers.count.BusTap.Heard;
import joshua.rogers.count.Count;
import joshua.rogers.count.TrafficStore;
import joshua.rogers.incident.Incident;
import joshua.rogers.incident.IncidentStore;
import joshua.rogers.incident.Incidents;
import joshua.rogers.incident.Inspector;
import joshua.rogers.incident.StormWatch;
import joshua.rogers.incident.UnheardWatch;
import joshua.rogers.presence.Registry;
import joshua.rogers.presence.Registry.News;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.rogers.presence.RegistryStore;
import joshua.rogers.presence.Standing.State;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Rogers does each second: it takes what was heard, sees how everybody stands, and stores both
 * in one transaction with the time until which all was heard. So what isn't stored when the process
 * is killed was published in a time that the next start reports as not seen.
 *
 * <p>Owned by the one thread that ticks; others may read what it says of itself.
 */
final class BusMonitor {
  private static final int ANSWER_WITHIN_S = 1;
  private static final Duration LATE = Duration.ofSeconds(15);
  private static final int PRUNE_EVERY = 60;
  private static final Duration RATE_OVER = Duration.ofSeconds(10);
  private static final Logger log = LoggerFactory.getLogger(BusMonitor.class);

  private final BusConnection bus;
  private final BusTap tap;
  private final Database database;
  private final InstantSource time;
  private final Consumer<OutgoingMessage> events;
  private final Registry registry;
  private final Incidents incidents = new Incidents();
  private final Inspector inspector;
  private final UnheardWatch unheard;
  private final StormWatch storms;
  private final Deque<Moment> lately = new ArrayDeque<>();
  private @Nullable CompletableFuture<Heard> asked;
  private boolean isAway;
  private int ticks;
  private Instant followersStored = Instant.EPOCH;
  private volatile Collection<Report> relays = List.of();

  /** What isn't stored yet. */
  private final Map<Key, Count> counts = new LinkedHashMap<>();

  private final List<Consumer<Transaction>> spans = new ArrayList<>();

  private volatile Instant seenUntil;
  private final Counter messages;
  private final Counter unread;
  private final Gauge participants;

  private record Key(Instant hour, String sender, String channel) {}

  private record Moment(Instant at, long messages) {}

  /**
   * Begins to watch by a tap that follows the bus; {@code events} takes what others should know.
   */
  BusMonitor(
      ServiceContext context,
      BusTap tap,
      Database database,
      Thresholds thresholds,
      Consumer<OutgoingMessage> events) {
    this.bus = context.bus();
    this.tap = tap;
    this.database = database;
    this.time = context.time();
    this.events = events;
    this.messages =
        Counter.builder()
            .name("joshua_bus_messages_total")
            .help("Messages that were published and heard.")
            .register(context.metrics());
    this.unread =
        Counter.builder()
            .name("joshua_bus_unread_total")
            .help("Of these, what came too fast to be read whole.")
            .register(context.metrics());
    this.participants =
        Gauge.builder()
            .name("joshua_bus_participants")
            .help("Participants by their state.")
            .labelNames("state")
            .register(context.metrics());
    long passedBefore = database.read(TrafficStore::passed);
    this.inspector = new Inspector(incidents, () -> passedBefore + messages.getLongValue());
    Instant now = time.instant();
    this.storms = new StormWatch(incidents, now);
    this.seenUntil = now;
    lately.add(new Moment(now, 0));
    this.registry =
        database.write(tx -> {
          TrafficStore.begin(tx, now);
          IncidentStore.begin(tx);
          return RegistryStore.registry(tx, thresholds, now);
        });
    this.unheard =
        new UnheardWatch(
            incidents,
            registry::isKnown,
            context.access(),
            channels -> answer(bus.transport().subscriberCounts(channels)),
            // Taps have one; what isn't known isn't taken for nobody.
            () -> answer(bus.transport().patternCount()).orElse(Long.MAX_VALUE) > 1);
  }

  /** Takes what was heard, and stores it. */
  void tick() {
    if (asked == null) {
      asked = tap.take(bus);
    }
    Optional<Heard> heard = answer(asked);
    if (heard.isPresent() || asked.isCompletedExceptionally()) {
      asked = null; // else the answer is late, and not lost
    }
    if (heard.isPresent()) {
      take(heard.get());
    } else if (!bus.transport().isUsable() && !isAway) {
      isAway = true;
      Instant since = seenUntil;
      var _ = database.submit(tx -> TrafficStore.away(tx, since)); // else back() makes up for it
    }
  }

  private void take(Heard heard) {
    if (heard.brokenUntil() != null || isAway) {
      Instant since = seenUntil;
      Instant until = Objects.requireNonNullElse(heard.brokenUntil(), heard.seenUntil());
      spans.add(tx -> TrafficStore.back(tx, since, until));
      registry.subscribedAgain(until);
      isAway = false;
    }
    seenUntil = heard.seenUntil();
    for (Count count : heard.counts()) {
      counts.merge(new Key(count.hour(), count.sender(), count.channel()), count, Count::plus);
      messages.inc(count.messages());
    }
    lately.add(new Moment(seenUntil, messages.getLongValue()));
    unread.inc(heard.unread());
    registry.heard(heard.counts(), inspector.read(heard.received()), seenUntil);
    News news = registry.look(seenUntil);
    Instant hourBefore = seenUntil.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(1));
    storms.look(
        heard.counts(),
        seenUntil,
        sender -> database.read(tx -> TrafficStore.sent(tx, sender, hourBefore)));
    unheard.published(heard.counts());
    relays = inspector.relays(seenUntil);
    unheard.look(seenUntil, relays);
    store(news);
    for (State state : State.values()) {
      participants.labelValues(state.word()).set((double) registry.number(state));
    }
  }

  /** What Redis answers; empty if it doesn't. */
  private static <T> Optional<T> answer(CompletableFuture<T> asked) {
    return asked
        .thenApply(Optional::of)
        .completeOnTimeout(Optional.empty(), ANSWER_WITHIN_S, TimeUnit.SECONDS)
        .exceptionally(failure -> Optional.empty())
        .join();
  }

  private void store(News news) {
    double perSecond = perSecond();
    boolean prunes = ++ticks % PRUNE_EVERY == 0;
    Instant now = time.instant();
    List<Incident> noticed = incidents.all();
    try {
      List<Incident> begun =
          database.write(tx -> {
            spans.forEach(span -> span.accept(tx));
            TrafficStore.add(tx, counts.values(), seenUntil, perSecond);
            RegistryStore.write(tx, news);
            IncidentStore.follow(tx, relays, followersStored);
            inspector.problems().forEach(said -> IncidentStore.report(tx, said, seenUntil));
            if (prunes) {
              TrafficStore.prune(tx, now);
              RegistryStore.prune(tx, now);
              IncidentStore.prune(tx, now);
            }
            return IncidentStore.write(tx, noticed, seenUntil);
          });
      spans.clear();
      counts.clear();
      incidents.stored();
      inspector.problems().clear();
      followersStored = seenUntil;
      registry.stored();
      Events.of(news.changes(), begun).forEach(events);
    } catch (StoreException e) {
      log.debug("what was counted can't be stored yet", e); // the database has said so
    }
  }

  private double perSecond() {
    Instant oldest = seenUntil.minus(RATE_OVER);
    while (lately.size() > 2 && lately.getFirst().at().isBefore(oldest)) {
      lately.removeFirst();
    }
    Moment first = lately.getFirst();
    Moment last = lately.getLast();
    long millis = Math.max(1, Duration.between(first.at(), last.at()).toMillis());
    return Math.round(10_000.0 * (last.messages() - first.messages()) / millis) / 10.0;
  }

  /** Whether a participant of a name has been heard; any thread may ask. */
  boolean isKnown(String name) {
    return registry.isKnown(name);
  }

  /** Whether there are participants that aren't listed; any thread may ask. */
  boolean isFull() {
    return registry.isFull();
  }

  /** For whom messages wait unread, as relays last said; any thread may ask. */
  ArrayNode unread() {
    ArrayNode rows = Json.mapper().createArrayNode();
    for (Report relay : relays) {
      relay
          .unread()
          .forEach((client, waiting) ->
              rows.addObject()
                  .put("client", client)
                  .put("waiting", waiting)
                  .put("relay", relay.relay())
                  .put("told_at", relay.at().toEpochMilli()));
    }
    return rows;
  }

  /** What keeps Rogers from seeing the bus, as a sentence, while something does. */
  Optional<String> problem() {
    return Optional.of(seenUntil)
        .filter(until -> until.isBefore(time.instant().minus(LATE)))
        .map(Timestamps::format)
        .map("What was published since %s hasn't been counted yet."::formatted);
  }
}
