package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The presence of a participant (+JC-11, wire contract §2): {@code join} and a heartbeat at the
 * start, a heartbeat at regular times and soon after another's join, {@code join} again after a
 * reconnect, {@code leave} at the end. Guarded by itself, but for the two flags of the receiving
 * thread.
 */
final class Heartbeat implements BusListener {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
  private static final Duration REJOIN_DELAY = Duration.ofSeconds(1);

  private final BusIdentity self;
  private final Function<OutgoingMessage, CompletableFuture<SendResult>> send;
  private final ObjectNode detail;
  private final Timing timing;
  private final LongSupplier nanoTime;

  private volatile boolean somebodyJoined;
  private volatile boolean joinDue;

  private boolean running;
  private long nextBeat;
  private long nextExtraBeat;
  private long nextJoin;

  Heartbeat(
      BusIdentity self,
      Function<OutgoingMessage, CompletableFuture<SendResult>> send,
      ObjectNode detail,
      Timing timing,
      LongSupplier nanoTime) {
    this.self = self;
    this.send = send;
    this.detail = detail;
    this.timing = timing;
    this.nanoTime = nanoTime;
  }

  /** Sends {@code join} and a heartbeat. Completes when they are written, or can't be. */
  synchronized CompletableFuture<SendResult> start() {
    running = true;
    nextExtraBeat = nanoTime.getAsLong();
    nextJoin = nextExtraBeat;
    CompletableFuture<SendResult> joined = send.apply(Presence.join(self.instance(), "started"));
    beat();
    return joined;
  }

  /** Sends what is due; called several times a second. */
  synchronized void tick() {
    if (!running) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (joinDue && now - nextJoin >= 0) {
      joinDue = false;
      nextJoin = now + REJOIN_DELAY.toNanos();
      rejoin();
    } else if (somebodyJoined && now - nextExtraBeat >= 0) {
      somebodyJoined = false;
      nextExtraBeat = now + timing.extraHeartbeatInterval().toNanos();
      beat();
    } else if (now - nextBeat >= 0) {
      beat();
    }
  }

  /** The publishing connection may reconnect later than the receiving one, which saw the gap. */
  private void rejoin() {
    send.apply(Presence.join(self.instance(), "reconnected"))
        .thenAccept(result -> {
          if (result instanceof SendResult.Refused) {
            joinDue = true;
          } else {
            somebodyJoined = true;
          }
        });
  }

  private void beat() {
    nextBeat = nanoTime.getAsLong() + timing.heartbeatInterval().toNanos();
    ObjectNode payload =
        Json.object()
            .put("status", "HEALTHY")
            .put("instance", self.instance())
            .put("version", self.version())
            .put("started_at", Timestamps.format(self.startedAt()))
            .put("interval_s", Math.max(1, timing.heartbeatInterval().toSeconds()))
            .putNull("busy_until")
            .set("detail", detail);
    var unused = // the next one makes up for a failure
        send.apply(OutgoingMessage.on(Channel.HEARTBEAT, payload));
  }

  /** Sends {@code leave}; nothing follows it. Completes when that is written, or can't be. */
  synchronized CompletableFuture<SendResult> stop() {
    if (!running) {
      return CompletableFuture.completedFuture(SendResult.notSent("It hadn't joined."));
    }
    running = false;
    return send.apply(Presence.leave(self.instance(), "stopped"));
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    EnvelopeCodec.tryDecode(channel, body)
        .filter(envelope -> Presence.isJoin(envelope, self.instance()))
        .ifPresent(join -> {
          somebodyJoined = true;
          if (join.senderId().equals(self.name())) {
            log.warn("another {} joins, with a store of its own: {}", self.name(), join.payload());
          }
        });
  }

  @Override
  public void onGap(Gap gap) {
    joinDue = true;
  }
}
