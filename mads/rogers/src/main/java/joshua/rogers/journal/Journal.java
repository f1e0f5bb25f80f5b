package joshua.rogers.journal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.conversation.Channel;
import joshua.kernel.ClockSources;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import joshua.state.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal: stores the messages of exchanges, in order, bounded by size and age. The tap's
 * thread copies what it sees into a ring, and the journal's own thread writes that to its table;
 * neither waits for the other. What isn't written is left out, and the span recorded. Streams and
 * {@code mad.system.*} aren't journalled: tasks store their own streams, and the rest is repeated
 * anyway.
 */
public final class Journal implements MessageObserver, AutoCloseable {
  /** Bytes that may wait to be written. */
  public static final int RING_BYTES = 8 << 20;

  /** Messages per transaction; between transactions other writers get their turn. */
  static final int BATCH = 500;

  private static final int BATCH_BYTES = 1 << 20;
  private static final int LAST_BATCHES = 20;
  private static final Duration BREATH = Duration.ofMillis(50);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(1);
  private static final String TOO_FAST = "messages came faster than they could be written";
  private static final String NOT_WRITTEN = "the database could not be written";
  private static final String STOPPING = "rogers was stopping";
  private static final String NOT_RUNNING = "rogers was not running";
  private static final Logger log = LoggerFactory.getLogger(Journal.class);

  private final JournalConfig config;
  private final JournalRing ring;
  private final JournalStore store;
  private final InstantSource time;
  private final TimedWait timedWait;
  private final ClockSources clockSources;
  private final Counter leftOut;
  private final EssentialThread essential = EssentialThread.slow("rogers-journal");
  private final Thread thread =
      Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  private volatile boolean closing;

  /** Gaps to be recorded with the next messages that can be written. */
  private final List<JournalStore.Hole> holes = new ArrayList<>();

  private long held;

  /** The same, for other threads to read. */
  private volatile long bytes;

  private long nextDeletion;

  /**
   * Whether the last attempt to write failed, which has then been logged; and when to try again.
   */
  private boolean troubled;

  private long againAt;

  public Journal(
      JournalConfig config,
      Database database,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    this(config, RING_BYTES, database, time, timedWait, meters);
  }

  Journal(
      JournalConfig config,
      int ringBytes,
      Database database,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    this.config = config;
    this.ring = new JournalRing(ringBytes);
    this.store = new JournalStore(database);
    this.time = time;
    this.timedWait = timedWait;
    this.clockSources = new ClockSources(time, System::nanoTime, timedWait);
    this.againAt = clockSources.nanos();
    this.leftOut =
        Counter.builder("joshua.rogers.journal.left.out")
            .description("Messages that the journal couldn't write")
            .register(meters);
  }

  public Journal start() {
    thread.start();
    return this;
  }

  public JournalConfig config() {
    return config;
  }

  /** The size of all that is stored. */
  public long bytes() {
    return bytes;
  }

  /** How many messages since the start couldn't be written. */
  public long leftOut() {
    return (long) leftOut.count();
  }

  @Override
  public void seen(ObservedMessage observedMessage) {
    take(observedMessage.channel().kind(), observedMessage.atMillis(), observedMessage.body());
  }

  void take(Channel.Kind kind, long atMillis, ByteBuffer envelope) {
    if (kind != Channel.Kind.SYSTEM && kind != Channel.Kind.STREAM) {
      ring.offer(atMillis, envelope);
    }
  }

  private void run() {
    try {
      begin();
      while (!closing) {
        essential.progress();
        writeBatch();
        delete();
        bytes = held;
        timedWait.pause(BREATH);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** What came while no journal was written comes after the last entry of the previous run. */
  private void begin() throws InterruptedException {
    while (true) {
      essential.progress();
      try {
        held = store.held();
        long last = store.lastMillis();
        if (last > 0) {
          holes.add(new JournalStore.Hole(last, time.millis(), NOT_RUNNING, null));
        }
        return;
      } catch (StoreUnavailableException | StatementRefusedException e) {
        log.warn("the journal can't be read yet: {}", e.getMessage());
        timedWait.pause(BETWEEN_ATTEMPTS);
      }
    }
  }

  /** Writes what waits, up to one batch; returns whether there may be more. */
  private boolean writeBatch() throws InterruptedException {
    List<JournalEntry> entries = new ArrayList<>();
    int bytes = 0;
    JournalRing.@Nullable Copy copy = null;
    while (entries.size() < BATCH && bytes < BATCH_BYTES && (copy = ring.poll()) != null) {
      entries.add(JournalEntry.of(copy));
      bytes += copy.envelope().length;
    }
    ring.leftOut()
        .ifPresent(out -> {
          leftOut.increment((double) out.messages());
          missed(out.sinceMillis(), out.untilMillis(), TOO_FAST, out.messages());
        });
    if (entries.isEmpty() && (holes.isEmpty() || !clockSources.reached(againAt))) {
      return false;
    }
    try {
      held += store.add(entries, holes);
      holes.clear();
      if (troubled) {
        log.info("messages are journalled again; {} are left out", leftOut());
        troubled = false;
      }
    } catch (StoreUnavailableException | StatementRefusedException e) {
      failed(e);
      unwritten(entries, NOT_WRITTEN);
    } catch (InterruptedException e) {
      unwritten(entries, STOPPING);
      throw e;
    }
    return copy != null;
  }

  private void unwritten(List<JournalEntry> entries, String reason) {
    if (!entries.isEmpty()) {
      leftOut.increment(entries.size());
      missed(entries.getFirst().atMillis(), entries.getLast().atMillis(), reason, entries.size());
    }
  }

  /** Extends the last hole if the reason is the same, so that there are few. */
  private void missed(long since, long until, String reason, long messages) {
    for (int i = 0; i < holes.size(); i++) {
      JournalStore.Hole hole = holes.get(i);
      if (hole.reason().equals(reason) && hole.messages() != null) {
        holes.set(
            i,
            new JournalStore.Hole(
                Math.min(hole.sinceMillis(), since), until, reason, hole.messages() + messages));
        return;
      }
    }
    holes.add(new JournalStore.Hole(since, until, reason, messages));
  }

  private void delete() throws InterruptedException {
    if (troubled && !clockSources.reached(againAt)) {
      return;
    }
    try {
      while (held > config.bytes()) {
        long freed = store.deleteOldest();
        held = freed == 0 ? 0 : held - freed;
      }
      long now = time.millis();
      if (now >= nextDeletion) {
        long freed = store.deleteBefore(now - config.age().toMillis());
        held -= freed;
        nextDeletion = freed > 0 ? now : now + BETWEEN_DELETIONS.toMillis();
      }
    } catch (StoreUnavailableException | StatementRefusedException e) {
      failed(e);
    }
  }

  private void failed(Exception because) {
    againAt = clockSources.in(BETWEEN_ATTEMPTS);
    if (!troubled) {
      log.warn(
          "messages can't be journalled until the database answers, and are counted: {}",
          because.getMessage());
      troubled = true;
    }
  }

  /** Writes what waits, as far as that goes quickly. */
  @Override
  public void close() {
    // No interrupt during a write: it would be unknown whether that was written.
    closing = true;
    try {
      if (thread.isAlive() && !thread.join(ENDS_WITHIN)) {
        thread.interrupt();
        thread.join();
      }
      for (int i = 0; i < LAST_BATCHES && writeBatch(); i++) {
        log.debug("the journal's last batches: {}", i);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
