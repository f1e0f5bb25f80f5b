package joshua.dewey.archive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.core.metrics.Counter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.PresenceMessage;
import joshua.conversation.Tap.Batch;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Channel.Kind;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.dewey.mail.MailStore;
import joshua.dewey.mail.Presences;
import joshua.dewey.thread.PostOutbox;
import joshua.kernel.Timestamps;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of the archive: takes what the tap has, stores it in the bus's order, and passes on
 * each call of this service when all that was published before it is on disk.
 *
 * <p>Owned by its thread, but for the methods that say otherwise.
 */
public final class ArchiveWriter {
  private static final int INTERVAL_MS = 50;
  private static final int RETRY_MS = 1_000;
  private static final int MAX_ROWS = 10_000;
  private static final Duration IDLE_WRITE = Duration.ofSeconds(1);
  private static final Duration MAX_LAG = Duration.ofSeconds(15);
  private static final String BROKEN = "the connection to Redis was broken";
  private static final Logger log = LoggerFactory.getLogger(ArchiveWriter.class);

  private final Database database;
  private final InstantSource time;
  private final String self;
  private final boolean keepsTopics;
  private final boolean keepsMail;
  private final Presences presences;
  private final ArchiveTap tap;
  private final Semaphore calls = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().name("archive").daemon().unstarted(this::run);
  private final Counter kept;
  private final Counter notKept;

  private final List<Consumer<Transaction>> writes = new ArrayList<>();
  private @Nullable Consumer<Envelope> onCall;
  private long position;
  private Instant storedUntil;
  private volatile Instant seenUntil;
  private volatile long storedPosition;

  /** A writer that has yet to {@link #start}, and whose tap has yet to follow the bus. */
  public ArchiveWriter(
      ServiceContext context, Database database, boolean keepsTopics, boolean keepsMail) {
    this.database = database;
    this.time = context.time();
    this.self = context.self().name();
    this.keepsTopics = keepsTopics;
    this.keepsMail = keepsMail;
    this.presences = new Presences(context.access());
    this.tap = new ArchiveTap(context.bus(), Channel.direct(self), time, calls::release);
    this.kept =
        context.counter("joshua_archive_messages_total", "Messages that were kept.", "kind");
    this.notKept =
        context.counter(
            "joshua_archive_not_kept_total", "Messages that came faster than they could be kept.");
    this.seenUntil = time.instant();
    this.storedUntil = seenUntil;
  }

  public ArchiveTap tap() {
    return tap;
  }

  /** Starts to store what the tap has and will have; {@code onCall} gets the calls. */
  public void start(Consumer<Envelope> onCall) {
    this.onCall = onCall;
    Instant now = time.instant(); // the tap follows the bus by now
    seenUntil = now;
    storedUntil = now;
    position =
        database.write(tx -> {
          WatchedTime.start(tx, now, "Dewey wasn't running");
          return ArchiveStore.lastPosition(tx);
        });
    storedPosition = position;
    thread.start();
  }

  private void run() {
    while (closed.getCount() > 0) {
      try {
        var _ = calls.tryAcquire(INTERVAL_MS, TimeUnit.MILLISECONDS);
        calls.drainPermits();
        takeNext();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        log.error("a batch of messages can't be kept", e);
      }
    }
  }

  private void takeNext() throws InterruptedException {
    Optional<Batch<ArchiveTap.Heard>> batch = tap.next();
    if (batch.isPresent()) {
      take(batch.get());
    } else if (tap.isNewlyBroken()) {
      Instant since = seenUntil;
      var _ = database.submit(tx -> WatchedTime.begin(tx, since, BROKEN));
    }
  }

  private void take(Batch<ArchiveTap.Heard> batch) throws InterruptedException {
    Instant since = seenUntil;
    batch
        .brokenUntil()
        .ifPresent(until -> writes.add(tx -> WatchedTime.end(tx, since, until, BROKEN)));
    for (ReceivedMessage received : batch.content().received()) {
      Optional<Envelope> envelope = EnvelopeCodec.tryDecode(received.channel(), received.body());
      if (envelope.isPresent()) {
        take(envelope.get(), received);
      }
      if (writes.size() >= MAX_ROWS) {
        store();
      }
    }
    batch
        .content()
        .skipped()
        .forEach((reason, span) -> {
          writes.add(tx -> ArchiveStore.addSkipped(tx, reason, span));
          notKept.inc(span.messages());
        });
    seenUntil = batch.seenUntil();
    if (!writes.isEmpty() || storedUntil.plus(IDLE_WRITE).isBefore(seenUntil)) {
      Instant until = seenUntil;
      writes.add(tx -> WatchedTime.watchedUntil(tx, until));
      store();
      storedUntil = until;
    }
  }

  private void take(Envelope envelope, ReceivedMessage received) throws InterruptedException {
    Kind kind = envelope.channel().kind();
    if (kind == Kind.SYSTEM) {
      presences
          .receive(new PresenceMessage(envelope, received.at()))
          .forEach(name -> writes.add(tx -> MailStore.joined(tx, name, received.at())));
    } else if (envelope.channel().recipient().filter(self::equals).isPresent()) {
      store();
      try {
        Objects.requireNonNull(onCall).accept(envelope);
      } catch (RuntimeException e) { // which must not take what came after it along
        log.error("a call of {} failed", envelope.senderId(), e);
      }
    } else if (isForKeeping(envelope) && (kind == Kind.DIRECT || keepsTopics)) {
      kept.labelValues(kind.pattern()).inc();
      long at = ++position;
      Instant heard = received.at();
      String body = new String(received.body(), StandardCharsets.UTF_8);
      writes.add(tx -> ArchiveStore.add(tx, at, heard, envelope, body));
      String recipient = envelope.channel().recipient().orElse("");
      if (keepsMail && kind == Kind.DIRECT && !presences.isService(recipient)) {
        Instant collected = presences.listens(recipient, heard) ? heard : null;
        writes.add(tx -> MailStore.add(tx, recipient, at, envelope, collected));
      }
    }
  }

  /** Of its own only posts and notices are; its answers have what is kept already. */
  private boolean isForKeeping(Envelope envelope) {
    ObjectNode payload = envelope.payload();
    return !envelope.senderId().equals(self)
        || payload.has(PostOutbox.THREAD)
        || payload.path("notification_type").asText().equals("acknowledged");
  }

  /** Stores what is to be written, and tries again until it can be. */
  private void store() throws InterruptedException {
    long last = position;
    while (!writes.isEmpty()) {
      try {
        database.write(tx -> {
          writes.forEach(write -> write.accept(tx));
          return ArchiveStore.setLastPosition(tx, last);
        });
        writes.clear();
        storedPosition = last;
      } catch (StoreException e) {
        log.debug("what was said can't be stored yet", e); // the database has said so
        if (closed.await(RETRY_MS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    }
  }

  /** When somebody was last there, as far as this run knows; any thread may call. */
  public Optional<Instant> lastSeen(String name) {
    return presences.lastSeen(name);
  }

  /** The position of the last message on disk; any thread may call. */
  public long storedPosition() {
    return storedPosition;
  }

  /** Until when it has taken what was published; any thread may call. */
  public Instant heardUntil() {
    return seenUntil;
  }

  /** A sentence about messages not being kept, while that is so; any thread may call. */
  public Optional<String> problem() {
    return Optional.of(seenUntil)
        .filter(until -> until.isBefore(time.instant().minus(MAX_LAG)))
        .map(Timestamps::format)
        .map("What was published since %s isn't kept yet."::formatted);
  }

  /** Stores what has come until now; the time from there on isn't kept, by intent. */
  public void stop() throws InterruptedException {
    closed.countDown();
    calls.release();
    thread.join();
    takeNext();
    Instant until = seenUntil;
    var _ = database.submit(tx -> WatchedTime.begin(tx, until, "Dewey was stopped"));
  }
}
