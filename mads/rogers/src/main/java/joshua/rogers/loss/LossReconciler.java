package joshua.rogers.loss;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.EssentialThread;
import joshua.kernel.TreeTurns;
import joshua.rogers.presence.KnownRelay;
import joshua.rogers.presence.RelayId;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.DeadMessage;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.traffic.ChannelCounts;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import joshua.state.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts for losses (+RG-17): compares what relays say in their ledgers with what was published,
 * by the two rules of wire contract §2.
 *
 * <p>The thread that reads the tap counts by channel and hands its counts over at each marker; a
 * separate thread does everything else. If the queue between them is full, items are dropped: a
 * marker without a cut joins two spans into one.
 */
public final class LossReconciler implements MessageObserver, AutoCloseable {
  /** Items that wait between the two threads. */
  public static final int QUEUE = 1_024;

  public static final long QUEUE_BYTES = 8L * 1024 * 1024;

  /** A marker is no longer than this; longer messages are ledgers. */
  static final int MARKER_BYTES = 2_048;

  /** Findings that wait while the database is failing. */
  static final int UNWRITTEN = 1_000;

  /** Stands for bytes that aren't UTF-8. */
  private static final char NO_TEXT = '\ufffd';

  private static final Logger log = LoggerFactory.getLogger(LossReconciler.class);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration TIDY = Duration.ofHours(1);

  /** An item that the tap's thread hands over. */
  private sealed interface Heard {
    record Cut(LedgerPage.Marker marker, Instant at, ChannelCounts.Slice slice) implements Heard {}

    @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
    record Page(byte[] body, Instant at) implements Heard {}

    record Broken(String why) implements Heard {}
  }

  private final Database database;
  private final InstantSource time;
  private final Duration retention;
  private final BiConsumer<String, ObjectNode> noted;
  private final Counter differences;
  private final Counter letGo;
  private final Counter unreadable;
  private final EssentialThread essential = EssentialThread.slow("rogers-reconciler");
  private final Thread thread;
  private final BlockingQueue<Heard> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLong queuedBytes = new AtomicLong();

  // Used by the tap's thread alone.
  private final ChannelCounts counts = new ChannelCounts();
  private @Nullable String brokenBecause;

  // Used by this object's own thread alone.
  private final RelayAccounts relayAccounts;
  private final Deque<LedgerFindings> unwritten = new ArrayDeque<>();
  private Instant tidied = Instant.EPOCH;

  private volatile boolean closing;
  private volatile Set<String> patterns = Set.of();
  private volatile List<KnownRelay> known = List.of();

  /**
   * {@link #start} starts it.
   *
   * @param retention how long findings are kept
   * @param noted records a difference, by its subject, without waiting
   */
  public LossReconciler(
      Database database,
      InstantSource time,
      Duration retention,
      MeterRegistry meters,
      BiConsumer<String, ObjectNode> noted) {
    this.database = database;
    this.time = time;
    this.retention = retention;
    this.noted = noted;
    this.differences =
        counter(meters, "differences", "Differences found between ledgers and what was published");
    this.letGo = counter(meters, "let.go", "Markers and ledgers that found no place in the queue");
    this.unreadable = counter(meters, "unreadable", "Messages on the ledger channel of no form");
    this.relayAccounts =
        new RelayAccounts(
            counter(meters, "dropped", "Parts of ledgers that were too large or incomplete"));
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  private static Counter counter(MeterRegistry meters, String name, String description) {
    return Counter.builder("joshua.rogers.ledger." + name)
        .description(description)
        .register(meters);
  }

  public LossReconciler start() {
    thread.start();
    return this;
  }

  /** The subscriptions of all relays, according to their last ledgers. */
  public Set<String> knownPatterns() {
    return patterns;
  }

  /** The relays that send ledgers, as they were when the last page of any arrived. */
  public List<KnownRelay> known() {
    return known;
  }

  @Override
  public void seen(ObservedMessage observedMessage) {
    ChannelTraffic channel = observedMessage.channel();
    String name =
        channel.name().equals(ChannelTraffic.OTHERS)
            ? observedMessage.channelName()
            : channel.name();
    // A relay that also follows the ledger by a glob receives that copy after the channel's own:
    // the marker itself belongs to what comes after the cut.
    if (channel.kind() == Channel.Kind.SYSTEM && name.equals(Channel.LEDGER.name())) {
      ledger(observedMessage);
    }
    counts.add(name);
  }

  private void ledger(ObservedMessage observedMessage) {
    Instant at = Instant.ofEpochMilli(observedMessage.atMillis());
    Optional<LedgerPage.Marker> marker =
        observedMessage.size() <= MARKER_BYTES
            ? LedgerPage.marker(observedMessage.envelope())
            : Optional.empty();
    if (marker.isPresent()) {
      cut(marker.get(), at);
      return;
    }
    if (queuedBytes.get() + observedMessage.size() > QUEUE_BYTES
        || queue.remainingCapacity() == 0) {
      letGo.increment();
      return;
    }
    ByteBuffer bytes = observedMessage.body();
    byte[] body = new byte[bytes.remaining()];
    bytes.get(body);
    queuedBytes.addAndGet(body.length);
    queue.add(new Heard.Page(body, at));
  }

  private void cut(LedgerPage.Marker marker, Instant at) {
    if (queue.remainingCapacity() < 2) {
      letGo.increment();
      return;
    }
    String why = brokenBecause;
    if (why != null) {
      queue.add(new Heard.Broken(why));
      brokenBecause = null;
    }
    queue.add(new Heard.Cut(marker, at, counts.take()));
  }

  @Override
  public void malformed(DeadMessage letter) {
    // Globs are matched byte by byte, as Redis does.
    byte[] name = letter.channel().getBytes(StandardCharsets.UTF_8);
    if (name.length < DeadMessage.CHANNEL_LIMIT && letter.channel().indexOf(NO_TEXT) < 0) {
      counts.add(new String(name, StandardCharsets.ISO_8859_1));
    } else {
      counts.addUnnamed();
    }
  }

  @Override
  public void unseen(UnwatchedSpan span) {
    // The other thread learns of it before the next cut: what is counted until then isn't joined.
    brokenBecause = span.reason();
  }

  private void run() {
    try {
      Heard heard = null;
      while (!closing || heard != null) {
        essential.progress();
        heard = queue.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        try {
          if (heard != null) {
            take(heard);
          }
          look();
        } catch (RuntimeException e) {
          log.error("something failed on a relay's ledger; the next one is compared", e);
        }
      }
    } catch (InterruptedException e) {
      log.debug("the comparing of ledgers is cut short");
    }
    if (!unwritten.isEmpty()) {
      log.warn("what {} ledgers told last may not be kept", unwritten.size());
    }
  }

  private void take(Heard heard) {
    switch (heard) {
      case Heard.Cut(var marker, var at, var slice) -> relayAccounts.cut(marker, at, slice);
      case Heard.Broken(String why) -> relayAccounts.broken(why);
      case Heard.Page(byte[] body, Instant at) -> {
        queuedBytes.addAndGet(-body.length);
        read(body).ifPresentOrElse(page -> take(page, at), unreadable::increment);
      }
    }
  }

  private static Optional<LedgerPage> read(byte[] body) {
    try (TreeTurns.Turn _ = TreeTurns.OF_READERS.take(body)) {
      Envelope envelope = EnvelopeCodec.decode(Channel.LEDGER.name(), body);
      return LedgerPage.read(envelope);
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      throw new IllegalStateException("an envelope that was valid a moment ago", e);
    }
  }

  private void take(LedgerPage page, Instant at) {
    relayAccounts.take(page, at).ifPresent(this::found);
    patterns = relayAccounts.patterns();
    known = relayAccounts.known();
  }

  private void found(LedgerFindings ledgerFindings) {
    ledgerFindings.differences().forEach(difference -> tell(ledgerFindings.relay(), difference));
    differences.increment(ledgerFindings.differences().size());
    if (unwritten.size() == UNWRITTEN) {
      unwritten.removeFirst();
      log.warn("Findings about ledgers go unwritten: the database has been in trouble too long");
    }
    unwritten.add(ledgerFindings);
  }

  private void tell(RelayId relay, LedgerFindings.Difference difference) {
    log.warn(
        "{} of {}: {} expected, {} in {}, between {} and {}: {}",
        difference.hop().of(relay.name()),
        relay,
        difference.expected(),
        difference.actual(),
        difference.subject(),
        difference.since(),
        difference.until(),
        difference.reason());
    noted.accept(relay.name() + " " + difference.subject(), difference.tree(relay));
  }

  private void look() throws InterruptedException {
    Instant now = time.instant();
    List<LedgerFindings> silent = relayAccounts.expire(now);
    if (!silent.isEmpty()) {
      silent.forEach(this::found);
      known = relayAccounts.known();
    }
    if (unwritten.isEmpty() && tidied.plus(TIDY).isAfter(now)) {
      return;
    }
    try {
      database.write(connection -> {
        for (LedgerFindings ledgerFindings : unwritten) {
          LossTables.add(connection, ledgerFindings, now);
        }
        if (!tidied.plus(TIDY).isAfter(now)) {
          LossTables.tidy(connection, now, retention);
        }
        return unwritten.size();
      });
      unwritten.clear();
      tidied = tidied.plus(TIDY).isAfter(now) ? tidied : now;
    } catch (StoreUnavailableException e) {
      // The database reports the error itself; the findings wait.
    } catch (StatementRefusedException e) {
      log.error("SQLite refused findings about ledgers; they are given up", e);
      unwritten.clear();
      tidied = now;
    }
  }

  /** Compares what has arrived, and writes the findings; stops if that takes too long. */
  @Override
  public void close() {
    // No interrupt: it would lose what is being written.
    closing = true;
    try {
      if (thread.isAlive() && !thread.join(CLOSE_WITHIN)) {
        thread.interrupt();
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
