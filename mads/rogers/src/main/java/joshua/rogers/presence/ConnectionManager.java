package joshua.rogers.presence;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import joshua.rogers.store.SafeText;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.state.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of who is on the bus, in what state, and why (REQ-RG-14). One thread applies
 * timeouts ten times a second, so that a state changes on time; another stores what has changed,
 * and never holds up the first. Guarded by {@code lock}: the {@link ParticipantTable}, and when it
 * was last checked.
 */
public final class ConnectionManager implements MessageObserver, AutoCloseable {
  /**
   * Heartbeats, joins and leaves that wait for the next check; beyond that, they count as any
   * message.
   */
  static final int NOTICES = 10_000;

  private static final Logger log = LoggerFactory.getLogger(ConnectionManager.class);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(100);

  /**
   * After a longer pause between checks the machine was asleep, and nothing was received meanwhile.
   */
  private static final Duration ASLEEP_AFTER = Duration.ofSeconds(5);

  private static final Duration KEEPS_EVERY = Duration.ofMillis(250);

  /** Rows of participants that were merely heard are stored once in this many times. */
  private static final int HEARD_ONCE_IN = 4;

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
  private static final int WORD_LIMIT = 128;

  private final PresenceThresholds presenceThresholds;
  private final ConnectionStore store;
  private final Supplier<List<TrackedSender>> senders;
  private final Consumer<StateChange> told;
  private final InstantSource time;
  private final TimedWait timedWait;
  private final Counter overflow;
  private final Counter refused;
  private final EssentialThread look = EssentialThread.slow("rogers-registry");
  private final EssentialThread keep = EssentialThread.slow("rogers-registry-keeping");
  private final Thread looking;
  private final Thread keeping;
  private final ArrayBlockingQueue<PresenceNotice> notices = new ArrayBlockingQueue<>(NOTICES);
  private volatile boolean overflowed;
  private volatile boolean closing;
  // Empty while Rogers isn't subscribed.
  private final AtomicReference<Optional<ObservationWindow>> vigil;

  private final ReentrantLock lock = new ReentrantLock();
  private final ParticipantTable participantTable = new ParticipantTable();
  private Instant looked;

  // Only the storing thread's.
  private boolean troubled;

  /**
   * {@link #start} reads the stored registry and starts the threads.
   *
   * @param senders the senders heard, as the traffic counts them
   * @param told receives each change, on the checking thread: it mustn't wait
   */
  public ConnectionManager(
      PresenceThresholds presenceThresholds,
      ConnectionStore store,
      Supplier<List<TrackedSender>> senders,
      Consumer<StateChange> told,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    this.presenceThresholds = presenceThresholds;
    this.store = store;
    this.senders = senders;
    this.told = told;
    this.time = time;
    this.timedWait = timedWait;
    this.looked = time.instant();
    this.vigil =
        new AtomicReference<>(Optional.of(new ObservationWindow(looked, presenceThresholds)));
    this.overflow =
        Counter.builder("joshua.rogers.presence.overflow")
            .description("Heartbeats, joins and leaves that were taken as any message")
            .register(meters);
    this.refused =
        Counter.builder("joshua.rogers.presence.refused")
            .description("Rows of the registry that could not be written and were left out")
            .register(meters);
    for (ConnectionState state : ConnectionState.values()) {
      Gauge.builder("joshua.rogers.participants", () -> count(state))
          .description("Names on the bus, by state")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(meters);
    }
    this.looking = Thread.ofVirtual().name(look.name()).unstarted(look.watching(this::runLooking));
    this.keeping = Thread.ofVirtual().name(keep.name()).unstarted(keep.watching(this::runKeeping));
  }

  /** How many participants are in a state now. */
  public int count(ConnectionState state) {
    return participantTable.count(state);
  }

  /** Reads the stored registry; from now on every participant has time to be heard again. */
  public void start() throws StoreUnavailableException, InterruptedException {
    restore();
    looking.start();
    keeping.start();
  }

  public void restore() throws StoreUnavailableException, InterruptedException {
    List<ParticipantRow> known = store.all();
    lock.lock();
    try {
      known.forEach(participantTable::restore);
      looked = time.instant();
      beginAnew(looked);
    } finally {
      lock.unlock();
    }
  }

  private void beginAnew(Instant now) {
    vigil.updateAndGet(before -> before.map(any -> new ObservationWindow(now, presenceThresholds)));
  }

  @Override
  public void seen(ObservedMessage observedMessage) {
    if (observedMessage.channel().kind() != Channel.Kind.SYSTEM) {
      return;
    }
    if (notices.remainingCapacity() == 0) {
      overflow.increment();
      overflowed = true;
      return;
    }
    notices.add(notice(observedMessage));
  }

  private static PresenceNotice notice(ObservedMessage observedMessage) {
    Instant at = Instant.ofEpochMilli(observedMessage.atMillis());
    String channel = observedMessage.channelName();
    Optional<PresenceNotice> notice = Optional.empty();
    if (channel.equals(Channel.HEARTBEAT.name())) {
      notice = heartbeat(observedMessage.envelope(), at);
    } else if (channel.equals(Channel.PRESENCE.name())) {
      notice = presence(observedMessage.envelope(), at);
    }
    return notice.orElseGet(() -> new PresenceNotice.Spoken(name(observedMessage), at));
  }

  private static String name(ObservedMessage observedMessage) {
    String name = observedMessage.sender().name();
    return name.equals(TrackedSender.OTHERS) ? observedMessage.envelope().senderId() : name;
  }

  private static Optional<PresenceNotice> heartbeat(Envelope envelope, Instant at) {
    return HeartbeatReport.read(envelope, at)
        .map(heartbeatReport ->
            new PresenceNotice.Beaten(
                envelope.senderId(), instance(envelope), heartbeatReport, at));
  }

  private static Optional<PresenceNotice> presence(Envelope envelope, Instant at) {
    JsonNode payload = envelope.payload();
    String name = envelope.senderId();
    return switch (payload.path("event").asText()) {
      case "join" -> Optional.of(new PresenceNotice.Joined(name, instance(envelope), at));
      case "leave" -> {
        String reason = SafeText.word(payload.path("reason"), WORD_LIMIT).orElse("no reason");
        yield Optional.of(new PresenceNotice.Left(name, instance(envelope), reason, at));
      }
      default -> Optional.empty();
    };
  }

  private static String instance(Envelope envelope) {
    return SafeText.word(envelope.payload().path("instance"), WORD_LIMIT).orElse("");
  }

  @Override
  public void unseen(UnwatchedSpan span) {
    vigil.set(span.until().map(until -> new ObservationWindow(until, presenceThresholds)));
  }

  private void runLooking() {
    try {
      while (true) {
        look.progress();
        timedWait.pause(LOOKS_EVERY);
        try {
          look();
        } catch (RuntimeException e) {
          log.error("a look at the registry failed; it goes on", e);
        }
      }
    } catch (InterruptedException e) {
      log.debug("the registry ends");
    }
  }

  /** Takes in what has arrived, and applies timeouts. */
  public void look() {
    List<StateChange> changes;
    lock.lock();
    try {
      Instant now = time.instant();
      if (Duration.between(looked, now).abs().compareTo(ASLEEP_AFTER) > 0) {
        log.warn(
            "the clock went from {} to {} between two looks: silence begins anew", looked, now);
        beginAnew(now);
      }
      looked = now;
      boolean systemToo = overflowed;
      overflowed = false;
      // Asked first: the queue then holds every notice that precedes these counts.
      List<PresenceNotice> news =
          participantTable.news(senders.get(), systemToo, now, current(now));
      for (PresenceNotice presenceNotice = notices.poll();
          presenceNotice != null;
          presenceNotice = notices.poll()) {
        participantTable.take(presenceNotice);
      }
      news.forEach(participantTable::take);
      changes = participantTable.look(now, current(now));
    } finally {
      lock.unlock();
    }
    changes.forEach(told);
  }

  private ObservationWindow current(Instant now) {
    return vigil.get().orElseGet(() -> new ObservationWindow(now, presenceThresholds));
  }

  /** All participants as they are seen now, ordered by name. */
  public List<ParticipantRow> connections() {
    lock.lock();
    try {
      Instant now = time.instant();
      return participantTable.rows(now, current(now));
    } finally {
      lock.unlock();
    }
  }

  private void runKeeping() {
    try {
      for (int times = 1; !closing; times++) {
        keep.progress();
        timedWait.pause(KEEPS_EVERY);
        keep(times % HEARD_ONCE_IN == 0);
      }
    } catch (InterruptedException e) {
      log.debug("the registry is kept no more");
    }
  }

  /** Writes what has changed; what can't be written now is written later. */
  public void keep() throws InterruptedException {
    keep(true);
  }

  private void keep(boolean heardToo) throws InterruptedException {
    ParticipantTable.Batch batch;
    lock.lock();
    try {
      Instant now = time.instant();
      batch = participantTable.takeBatch(now, current(now), heardToo);
    } finally {
      lock.unlock();
    }
    write(batch);
  }

  /** Halves a rejected batch until one row is left, so that nothing but that row is lost. */
  private void write(ParticipantTable.Batch batch) throws InterruptedException {
    Deque<ParticipantTable.Batch> parts = new ArrayDeque<>(List.of(batch));
    for (ParticipantTable.Batch part = parts.poll(); part != null; part = parts.poll()) {
      try {
        store.write(part, time.instant());
        troubled = false;
      } catch (StoreUnavailableException e) {
        parts.push(part);
        giveBack(parts);
        if (!troubled) {
          log.warn("the registry can't be kept now, and is later: {}", e.getMessage());
          troubled = true;
        }
        return;
      } catch (RuntimeException e) {
        if (part.size() == 1) {
          refused.increment();
          log.error("this can't be written, and is left out of the registry: {}", part, e);
        } else {
          part.halves().reversed().forEach(parts::push);
        }
      }
    }
  }

  private void giveBack(Deque<ParticipantTable.Batch> parts) {
    lock.lock();
    try {
      parts.reversed().forEach(participantTable::giveBack);
    } finally {
      lock.unlock();
    }
  }

  /** Ends both threads, and stores what is left. */
  @Override
  public void close() {
    if (looking.getState() == Thread.State.NEW) {
      return;
    }
    // No interrupt: it would lose what is being written.
    closing = true;
    looking.interrupt();
    try {
      looking.join(CLOSE_WITHIN);
      if (!keeping.join(CLOSE_WITHIN)) {
        keeping.interrupt();
      }
      keep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
