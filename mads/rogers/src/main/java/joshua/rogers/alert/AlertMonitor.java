package joshua.rogers.alert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.kernel.ClockSources;
import joshua.kernel.EssentialThread;
import joshua.kernel.Json;
import joshua.rogers.loss.UnheardChannels;
import joshua.rogers.presence.ConnectionState;
import joshua.rogers.presence.StateChange;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.DeadLetterBuffer;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.TrackedSender;
import joshua.state.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the bus for problems (+RG-18): dead letters, channels without listeners, storms, loops
 * and state changes. Each is published on {@code mad.topic.system_events} and stored. One thread,
 * which checks four times a second.
 */
public final class AlertMonitor implements AutoCloseable {
  /**
   * Findings that wait while the database can't be written; beyond that, the oldest are dropped.
   */
  static final int UNWRITTEN = 2_000;

  private static final Logger log = LoggerFactory.getLogger(AlertMonitor.class);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(250);
  private static final Duration COUNTS_EVERY = Duration.ofSeconds(1);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /** What is checked: senders and channels, as the traffic counts them. */
  public record Watched(
      Supplier<List<TrackedSender>> senders, Supplier<List<ChannelTraffic>> channels) {}

  private final WatchStore store;
  private final ConversationBus bus;
  private final Watched counts;
  private final ClockSources clockSources;
  private final DeadLetterBuffer deadLetterBuffer;
  private final LoopDetector loopDetector = new LoopDetector();
  private final SystemEvents events = new SystemEvents();
  private final UnheardChannels unheardChannels;
  private final EssentialThread essential = EssentialThread.slow("rogers-watching");
  private final Thread thread;
  private volatile boolean closing;

  // Used by the thread alone, and before that by the thread that starts it.
  private StormDetector stormDetector = new StormDetector(Map.of());
  private long countsAt;
  private List<DeadLetterBuffer.Letter> unwrittenLetters = List.of();
  private List<SystemEvents.Event> unwrittenEvents = List.of();
  private boolean troubled;

  /**
   * Its {@link #observers} observe the traffic; {@link #start} starts the checks.
   *
   * @param knownPatterns what relays have subscribed to for their clients
   */
  public AlertMonitor(
      WatchStore store,
      ConversationBus bus,
      Watched counts,
      Supplier<Set<String>> knownPatterns,
      ClockSources clockSources,
      MeterRegistry meters) {
    this.store = store;
    this.bus = bus;
    this.counts = counts;
    this.clockSources = clockSources;
    this.countsAt = clockSources.nanos();
    this.deadLetterBuffer = new DeadLetterBuffer(meters);
    this.unheardChannels = new UnheardChannels(bus, knownPatterns);
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  /** Its parts that observe the traffic. */
  public List<MessageObserver> observers() {
    return List.of(deadLetterBuffer, loopDetector);
  }

  /** Records that a participant's state has changed. Never waits. */
  public void changed(StateChange change) {
    ObjectNode detail =
        Json.object()
            .put("mad_id", change.madId())
            .put("status_before", change.before().map(ConnectionState::name).orElse(null))
            .put("status", change.after().name())
            .put("why", change.why());
    events.note(SystemEvents.Kind.STATE, change.madId(), 1, detail);
  }

  /** Records that a relay's ledger disagrees with what was published. Never waits. */
  public void lost(String subject, ObjectNode detail) {
    events.note(SystemEvents.Kind.LOSS, subject, 1, detail);
  }

  public void start() throws StoreUnavailableException, InterruptedException {
    stormDetector = new StormDetector(store.usualRates(clockSources.time().instant()));
    thread.start();
  }

  private void run() {
    try {
      while (!closing) {
        essential.progress();
        clockSources.pause().pause(LOOKS_EVERY);
        try {
          look();
        } catch (RuntimeException e) {
          log.error("a look at the bus failed; it goes on", e);
        }
      }
    } catch (InterruptedException e) {
      log.debug("the watch ends");
    }
  }

  /** Takes what was noticed, publishes what is due, and stores it. */
  public void look() throws InterruptedException {
    Instant now = clockSources.time().instant();
    long nanos = clockSources.nanos();
    List<DeadLetterBuffer.Letter> taken = deadLetterBuffer.take(now);
    taken.forEach(this::note);
    loopDetector.take().forEach(this::note);
    if (clockSources.reached(countsAt)) {
      countsAt = clockSources.in(COUNTS_EVERY);
      stormDetector.look(counts.senders().get(), nanos).forEach(this::note);
      lookForUnheard();
    }
    List<SystemEvents.Event> due = events.due(now, nanos);
    for (SystemEvents.Event event : due) {
      // The event is in the tables as well, so losing the message doesn't matter.
      var _ = bus.sendAsync(OutgoingMessage.on(Channel.SYSTEM_EVENTS, event.payload()));
    }
    keep(taken, due, now);
  }

  private void lookForUnheard() throws InterruptedException {
    try {
      unheardChannels.look(counts.channels().get()).forEach(this::note);
    } catch (BusUnavailableException e) {
      log.debug("who listens can't be asked now", e);
    }
  }

  private void note(DeadLetterBuffer.Letter letter) {
    events.note(SystemEvents.Kind.DEAD_LETTER, letter.channel(), letter.messages(), letter.json());
  }

  private void note(UnheardChannels.Silence silence) {
    ObjectNode detail =
        Json.object()
            .put("channel", silence.channel().name())
            .put("why", "published to, and nobody is known to listen");
    events.note(SystemEvents.Kind.UNHEARD, silence.channel().name(), silence.messages(), detail);
  }

  private void note(StormDetector.Storm storm) {
    ObjectNode detail =
        Json.object()
            .put("rate", storm.rate())
            .put("median", Math.round(storm.median() * 10) / 10.0)
            .put(
                "why",
                "%d messages a second, its median of the last hour is %.1f"
                    .formatted(storm.rate(), storm.median()));
    detail.putArray("participants").add(storm.sender());
    events.note(SystemEvents.Kind.STORM, storm.sender(), storm.messages(), detail);
  }

  private void note(LoopDetector.Loop loop) {
    ObjectNode detail =
        Json.object()
            .put("correlation_id", loop.correlationId().toString())
            .put(
                "why",
                "%s take turns under one correlation id, %d times or more in 10 s"
                    .formatted(String.join(", ", loop.senders()), LoopTable.TURNS));
    loop.senders().forEach(detail.putArray("participants")::add);
    events.note(SystemEvents.Kind.LOOP, loop.correlationId().toString(), loop.turns(), detail);
  }

  private void keep(
      List<DeadLetterBuffer.Letter> newLetters, List<SystemEvents.Event> newEvents, Instant now)
      throws InterruptedException {
    List<DeadLetterBuffer.Letter> allLetters = newest(unwrittenLetters, newLetters);
    List<SystemEvents.Event> allEvents = newest(unwrittenEvents, newEvents);
    try {
      store.write(allLetters, allEvents, now);
      unwrittenLetters = List.of();
      unwrittenEvents = List.of();
      troubled = false;
    } catch (StoreUnavailableException e) {
      unwrittenLetters = allLetters;
      unwrittenEvents = allEvents;
      if (!troubled) {
        log.warn("what was noticed on the bus can't be kept now, and is later: {}", e.getMessage());
        troubled = true;
      }
    }
  }

  private static <T> List<T> newest(List<T> before, List<T> more) {
    List<T> all = new ArrayList<>(before);
    all.addAll(more);
    return all.subList(Math.max(0, all.size() - UNWRITTEN), all.size());
  }

  /**
   * Ends the thread, and stores what is left, including events held back until their quiet time is
   * over.
   */
  @Override
  public void close() {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    // No interrupt: it would lose what is being written.
    closing = true;
    try {
      if (!thread.join(CLOSE_WITHIN)) {
        thread.interrupt();
        thread.join();
      }
      Instant now = clockSources.time().instant();
      loopDetector.take().forEach(this::note);
      keep(deadLetterBuffer.take(now), events.rest(now), now);
      if (troubled) {
        log.warn("what was noticed last on the bus isn't kept");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
