package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import joshua.kernel.EssentialThread;
import joshua.kernel.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat and presence of a participant (+JC-11, wire contract §2): {@code join} and a
 * heartbeat at the start, a heartbeat every 10 s, one soon after another participant's join, and
 * {@code leave} at the end. Guarded by {@code lock}: what has become due.
 */
final class Heartbeat implements MessageReceiver, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

  /** How long a close waits for a heartbeat that is being sent, so that none follows the leave. */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  /**
   * The intervals.
   *
   * @param interval of the regular heartbeats
   * @param extra the least time between extra heartbeats for participants that join
   * @param again the delay after a join that couldn't be sent after a reconnect
   */
  record Rhythm(Duration interval, Duration extra, Duration again) {
    static final Rhythm CONTRACT =
        new Rhythm(Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1));
  }

  private enum Due {
    BEAT,
    JOIN,
    END
  }

  private final Participant self;
  private final Function<OutgoingMessage, CompletableFuture<SendResult>> send;
  private final Supplier<ObjectNode> detail;
  private final Rhythm rhythm;
  private final EssentialThread essential;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long nextBeat;
  private long lastExtra;
  private boolean somebodyJoined;
  private boolean joinDue;
  private long joinNotBefore;
  private boolean closed;

  Heartbeat(
      Participant self,
      Function<OutgoingMessage, CompletableFuture<SendResult>> send,
      Supplier<ObjectNode> detail) {
    this(self, send, detail, Rhythm.CONTRACT);
  }

  Heartbeat(
      Participant self,
      Function<OutgoingMessage, CompletableFuture<SendResult>> send,
      Supplier<ObjectNode> detail,
      Rhythm rhythm) {
    this.self = self;
    this.send = send;
    this.detail = detail;
    this.rhythm = rhythm;
    String name = "heartbeat-" + self.name();
    this.essential = EssentialThread.brisk(name);
    this.thread = Thread.ofVirtual().name(name).unstarted(essential.watching(this::run));
  }

  void start() {
    long now = System.nanoTime();
    nextBeat = now + rhythm.interval().toNanos();
    lastExtra = now - rhythm.extra().toNanos();
    joinNotBefore = now;
    var _ = join("started");
    beat();
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        switch (awaitDue()) {
          case BEAT -> beat();
          case JOIN -> rejoin();
          case END -> {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private Due awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        essential.progress();
        long now = System.nanoTime();
        long untilBeat = nextBeat - now;
        if (somebodyJoined) {
          untilBeat = Math.min(untilBeat, lastExtra + rhythm.extra().toNanos() - now);
        }
        long untilJoin = joinDue ? joinNotBefore - now : Long.MAX_VALUE;
        if (closed) {
          return Due.END;
        } else if (untilJoin <= 0) {
          joinDue = false;
          beatIsOnItsWay(now);
          return Due.JOIN;
        } else if (untilBeat <= 0) {
          beatIsOnItsWay(now);
          return Due.BEAT;
        }
        long turn = TimeUnit.SECONDS.toNanos(EssentialThread.TURN_SECONDS);
        var _ = changed.awaitNanos(Math.min(turn, Math.min(untilBeat, untilJoin)));
      }
    } finally {
      lock.unlock();
    }
  }

  private void beatIsOnItsWay(long now) {
    if (somebodyJoined) {
      somebodyJoined = false;
      lastExtra = now;
    }
    nextBeat = now + rhythm.interval().toNanos();
  }

  /** The publishing connection may come back later than the receiving one that reported the gap. */
  private void rejoin() throws InterruptedException {
    boolean refused;
    try {
      refused = join("reconnected").get() instanceof SendResult.Refused;
    } catch (ExecutionException e) {
      refused = true;
    }
    if (!refused) {
      beat();
      return;
    }
    lock.lock();
    try {
      joinDue = true;
      joinNotBefore = System.nanoTime() + rhythm.again().toNanos();
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<SendResult> join(String reason) {
    return send.apply(Presence.draft(Presence.Event.JOIN, self.instance(), reason));
  }

  private void beat() {
    ObjectNode payload = Json.object();
    payload.put("status", "HEALTHY");
    payload.put("instance", self.instance());
    payload.put("version", self.version());
    payload.put("started_at", EnvelopeCodec.timestamp(self.startedAt()));
    payload.put("interval_s", Math.max(1, rhythm.interval().toSeconds()));
    payload.putNull("busy_until");
    payload.set("detail", currentDetail());
    // If this isn't written, the next heartbeat makes up for it.
    var _ = send.apply(OutgoingMessage.on(Channel.HEARTBEAT, payload));
  }

  private ObjectNode currentDetail() {
    try {
      return detail.get();
    } catch (RuntimeException e) {
      log.warn("the detail of a heartbeat can't be told; it goes without", e);
      return Json.object();
    }
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    Envelope envelope = receivedMessage.envelope();
    boolean own = self.instance().equals(envelope.payload().path("instance").asText());
    if (Presence.isJoin(envelope) && !own) {
      lock.lock();
      try {
        somebodyJoined = true;
        changed.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void missed(Gap gap) {
    if (gap.reason() == Gap.Reason.RECONNECT) {
      lock.lock();
      try {
        joinDue = true;
        changed.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Sends {@code leave}, after which no heartbeat follows; does nothing if it was never started or
   * is closed already.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(CLOSE_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    var _ = send.apply(Presence.draft(Presence.Event.LEAVE, self.instance(), "stopped"));
  }
}
