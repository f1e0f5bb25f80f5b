package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import joshua.kernel.Json;

/**
 * The pulse of a participant (+JC-11, wire contract §2): {@code join} and a beat at the start, a
 * beat every {@link #INTERVAL}, one soon after somebody else's join, and {@code leave} at the end.
 */
final class Heartbeat implements Receiver, AutoCloseable {
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** No more than one extra beat in this time, however many join. */
  private static final Duration EXTRA_BEAT_AT_MOST_EVERY = Duration.ofSeconds(2);

  private enum Wake {
    SOMEBODY_JOINED,
    RECONNECTED
  }

  private final Participant self;
  private final Consumer<Draft> send;
  private final Supplier<ObjectNode> detail;
  private final BlockingQueue<Wake> wakes = new ArrayBlockingQueue<>(1);
  private final Thread thread;

  Heartbeat(Participant self, Consumer<Draft> send, Supplier<ObjectNode> detail) {
    this.self = self;
    this.send = send;
    this.detail = detail;
    this.thread = Thread.ofVirtual().name("heartbeat-" + self.name()).unstarted(this::run);
  }

  void start() {
    join("started");
    thread.start();
  }

  private void join(String reason) {
    send.accept(Presence.draft(Presence.Event.JOIN, self.instance(), reason));
    beat();
  }

  private void run() {
    try {
      long lastExtra = System.nanoTime() - EXTRA_BEAT_AT_MOST_EVERY.toNanos();
      while (!Thread.currentThread().isInterrupted()) {
        Wake wake = wakes.poll(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        switch (wake) {
          case null -> beat();
          case RECONNECTED -> join("reconnected");
          case SOMEBODY_JOINED -> {
            if (System.nanoTime() - lastExtra >= EXTRA_BEAT_AT_MOST_EVERY.toNanos()) {
              lastExtra = System.nanoTime();
              beat();
            }
          }
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void beat() {
    ObjectNode payload = Json.object();
    payload.put("status", "HEALTHY");
    payload.put("instance", self.instance());
    payload.put("version", self.version());
    payload.put("started_at", EnvelopeCodec.timestamp(self.startedAt()));
    payload.put("interval_s", INTERVAL.toSeconds());
    payload.putNull("busy_until");
    payload.set("detail", detail.get());
    send.accept(Draft.on(Channel.HEARTBEAT, payload));
  }

  @Override
  public void deliver(Delivery delivery) {
    Envelope envelope = delivery.envelope();
    boolean own = self.instance().equals(envelope.payload().path("instance").asText());
    if (Presence.isJoin(envelope) && !own) {
      wakes.offer(Wake.SOMEBODY_JOINED);
    }
  }

  @Override
  public void missed(Gap gap) {
    wakes.offer(Wake.RECONNECTED);
  }

  @Override
  public void close() {
    thread.interrupt();
    send.accept(Presence.draft(Presence.Event.LEAVE, self.instance(), "stopped"));
  }
}
