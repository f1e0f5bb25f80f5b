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
import java.util.Optional;
import java.util.function.Consumer;
import joshua.conversation.BusConnection;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.PresenceMessage;
import joshua.conversation.RelayReports.Report;
import joshua.conversation.Tap;
import joshua.conversation.Tap.Batch;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.count.BusTap;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.count.TrafficStore;
import joshua.rogers.incident.Archivists;
import joshua.rogers.incident.Incident;
import joshua.rogers.incident.IncidentStore;
import joshua.rogers.incident.MessageInspector;
import joshua.rogers.incident.PendingIncidents;
import joshua.rogers.incident.StormDetector;
import joshua.rogers.incident.UnheardDetector;
import joshua.rogers.presence.PresenceStatus.State;
import joshua.rogers.presence.Registry;
import joshua.rogers.presence.Registry.Delta;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.rogers.presence.RegistryStore;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rogers' work of each second: it drains the tap, updates the registry and the detectors, and
 * stores all in one transaction with the time until which the bus was heard. So what isn't stored
 * when the process is killed was published in a time that the next start reports as a gap.
 *
 * <p>Owned by the monitor's thread, but for the methods that say otherwise.
 */
final class BusMonitor {
  private static final String BROKEN = "the connection to Redis was broken";

  /** That Rogers was stopped in order is no problem, see {@code problems.sql}. */
  private static final String STOPPED = "Rogers was stopped";

  private static final Duration MAX_LAG = Duration.ofSeconds(15);
  private static final int PRUNE_TICKS = 60;
  private static final Duration RATE_WINDOW = Duration.ofSeconds(10);
  private static final Logger log = LoggerFactory.getLogger(BusMonitor.class);

  private final BusConnection bus;
  private final BusTap tap;
  private final Database database;
  private final InstantSource time;
  private final Consumer<OutgoingMessage> events;
  private final Registry registry;
  private final PendingIncidents incidents = new PendingIncidents();
  private final MessageInspector inspector;
  private final Archivists archivists;
  private final UnheardDetector unheardDetector;
  private final StormDetector stormDetector;
  private final Deque<RateSample> rateSamples = new ArrayDeque<>();
  private int ticks;
  private Instant subscriptionsStoredAt = Instant.EPOCH;
  private volatile Collection<Report> relays = List.of();

  /** The unstored counts. */
  private final Map<CountKey, TrafficCount> counts = new LinkedHashMap<>();

  private final List<Consumer<Transaction>> gapWrites = new ArrayList<>();

  private volatile Instant seenUntil;
  private final Counter messages;
  private final Counter skipped;
  private final Gauge participants;

  private record CountKey(Instant hour, String sender, String channel) {}

  private record RateSample(Instant at, long messages) {}

  /** Starts to monitor; the tap is subscribed, and {@code events} publishes what was noticed. */
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
        context.counter("joshua_bus_messages_total", "Messages that were published and heard.");
    this.skipped =
        context.counter(
            "joshua_bus_unread_total", "Of these, what came too fast to be read whole.");
    this.participants =
        Gauge.builder()
            .name("joshua_bus_participants")
            .help("Participants by their state.")
            .labelNames("state")
            .register(context.metrics());
    long totalBefore = database.read(TrafficStore::totalMessages);
    this.inspector =
        new MessageInspector(
            incidents, () -> totalBefore + messages.getLongValue(), context.access());
    this.archivists = new Archivists(context.access());
    Instant now = time.instant();
    this.stormDetector = new StormDetector(incidents, now);
    this.seenUntil = now;
    rateSamples.add(new RateSample(now, 0));
    this.registry =
        database.write(tx -> {
          WatchedTime.start(tx, now, "Rogers wasn't running");
          IncidentStore.clearProblems(tx);
          return RegistryStore.load(tx, thresholds, now);
        });
    this.unheardDetector =
        new UnheardDetector(
            incidents,
            registry::isKnown,
            archivists,
            context.access(),
            channels -> Tap.answer(bus.transport().subscriberCounts(channels)),
            // All taps share one pattern; without an answer there may be others.
            () -> Tap.answer(bus.transport().patternCount()).orElse(Long.MAX_VALUE) > 1);
  }

  /** Takes a batch of the tap, and stores what is new. */
  void tick() {
    Optional<Batch<BusTap.Heard>> batch = tap.next();
    if (batch.isPresent()) {
      take(batch.get());
    } else if (tap.isNewlyBroken()) {
      Instant since = seenUntil;
      var _ = database.submit(tx -> WatchedTime.begin(tx, since, BROKEN)); // else end() adds it
    }
  }

  /** Takes the last batch; the time from there on isn't seen, by intent. */
  void stop() {
    tick();
    var _ = database.submit(tx -> WatchedTime.begin(tx, seenUntil, STOPPED));
  }

  private void take(Batch<BusTap.Heard> batch) {
    Instant since = seenUntil;
    batch
        .brokenUntil()
        .ifPresent(until -> {
          gapWrites.add(tx -> WatchedTime.end(tx, since, until, BROKEN));
          registry.resubscribed(until);
        });
    BusTap.Heard heard = batch.content();
    seenUntil = batch.seenUntil();
    for (TrafficCount count : heard.counts()) {
      counts.merge(
          new CountKey(count.hour(), count.sender(), count.channel()), count, TrafficCount::plus);
      messages.inc(count.messages());
    }
    rateSamples.add(new RateSample(seenUntil, messages.getLongValue()));
    skipped.inc(heard.skipped());
    List<PresenceMessage> presence = inspector.inspect(heard.received());
    presence.forEach(archivists::receive);
    registry.receive(heard.counts(), presence, seenUntil);
    Delta delta = registry.evaluate(seenUntil);
    Instant hourBefore = seenUntil.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(1));
    stormDetector.check(
        heard.counts(),
        seenUntil,
        sender -> database.read(tx -> TrafficStore.messagesSent(tx, sender, hourBefore)));
    unheardDetector.add(heard.counts());
    relays = inspector.relays(seenUntil);
    unheardDetector.check(seenUntil, relays);
    store(delta);
    for (State state : State.values()) {
      participants.labelValues(state.word()).set((double) registry.count(state));
    }
  }

  private void store(Delta delta) {
    double perSecond = perSecond();
    boolean prunes = ++ticks % PRUNE_TICKS == 0;
    Instant now = time.instant();
    List<Incident> pending = incidents.all();
    try {
      List<Incident> created =
          database.write(tx -> {
            gapWrites.forEach(write -> write.accept(tx));
            TrafficStore.add(tx, counts.values(), seenUntil, perSecond);
            RegistryStore.write(tx, delta);
            IncidentStore.replaceSubscriptions(tx, relays, subscriptionsStoredAt);
            inspector
                .problems()
                .forEach(each -> IncidentStore.replaceProblems(tx, each, seenUntil));
            if (prunes) {
              TrafficStore.prune(tx, now);
              RegistryStore.prune(tx, now);
              IncidentStore.prune(tx, now);
            }
            return IncidentStore.write(tx, pending, seenUntil);
          });
      gapWrites.clear();
      counts.clear();
      incidents.clear();
      inspector.problems().clear();
      subscriptionsStoredAt = seenUntil;
      registry.clearDelta();
      EventMessages.of(delta.changes(), created).forEach(events);
    } catch (StoreException e) {
      log.debug("what was counted can't be stored yet", e); // the database has said so
    }
  }

  private double perSecond() {
    Instant oldest = seenUntil.minus(RATE_WINDOW);
    while (rateSamples.size() > 2 && rateSamples.getFirst().at().isBefore(oldest)) {
      rateSamples.removeFirst();
    }
    RateSample first = rateSamples.getFirst();
    RateSample last = rateSamples.getLast();
    long millis = Math.max(1, Duration.between(first.at(), last.at()).toMillis());
    return Math.round(10_000.0 * (last.messages() - first.messages()) / millis) / 10.0;
  }

  /** Whether a participant of a name has been heard; any thread may call. */
  boolean isKnown(String name) {
    return registry.isKnown(name);
  }

  /** Whether there is no room for some participants; any thread may call. */
  boolean isFull() {
    return registry.isFull();
  }

  /** The clients' unread messages, as relays last reported; any thread may call. */
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

  /** A sentence about the bus not being counted, while that is so; any thread may call. */
  Optional<String> problem() {
    return Optional.of(seenUntil)
        .filter(until -> until.isBefore(time.instant().minus(MAX_LAG)))
        .map(Timestamps::format)
        .map("What was published since %s hasn't been counted yet."::formatted);
  }
}
