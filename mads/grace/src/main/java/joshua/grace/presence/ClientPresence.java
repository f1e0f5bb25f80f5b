package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.Presence;
import joshua.grace.queue.ClientActivity;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.ClientRoster;
import joshua.kernel.EssentialThread;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;

/**
 * Sends {@code join}, {@code leave} and heartbeats in the names of Grace's clients (wire contract
 * §2).
 *
 * <p>What to send is decided under the lock of {@link ClientQueues}, and sent after that lock is
 * released. By then it may no longer hold, and the opposite may already have been sent; so {@code
 * lock} is held from a last check until the message is sent, which only queues a command. What no
 * longer holds isn't sent.
 */
public final class ClientPresence implements AutoCloseable {
  /** Heartbeats per second, for all clients together. */
  static final int BEATS_PER_SECOND = 100;

  private static final Duration TICK = Duration.ofSeconds(1);

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final TimedWait timedWait;
  private final EssentialThread essential = EssentialThread.slow("grace-client-presence");
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();

  public ClientPresence(ConversationBus bus, ClientQueues queues, TimedWait timedWait) {
    this.bus = bus;
    this.queues = queues;
    this.timedWait = timedWait;
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  public void start() {
    thread.start();
  }

  public void came(String clientId) {
    ifPresent(
        true,
        clientId,
        () -> {
          say(Presence.Event.JOIN, clientId, "subscribed");
          sayHealthy(clientId);
        });
  }

  public void left(String clientId, String reason) {
    ifPresent(false, clientId, () -> say(Presence.Event.LEAVE, clientId, reason));
  }

  /**
   * A client's queue, if there was one, was closed because the client's reading rights have shrunk.
   */
  public void ended(Optional<ClientRoster.Eviction> eviction) {
    eviction
        .filter(ClientRoster.Eviction::present)
        .ifPresent(ended -> left(ended.clientId(), "its role reads less now"));
  }

  public void left(List<String> clientIds, String reason) {
    clientIds.forEach(clientId -> left(clientId, reason));
  }

  private void beat(String clientId) {
    ifPresent(true, clientId, () -> sayHealthy(clientId));
  }

  private void ifPresent(boolean present, String clientId, Runnable words) {
    lock.lock();
    try {
      if (queues.look(clients -> clients.isPresent(clientId)) == present) {
        words.run();
      }
    } finally {
      lock.unlock();
    }
  }

  private void say(Presence.Event event, String clientId, String reason) {
    send(Presence.draft(event, bus.self().instance(), reason), clientId);
  }

  private void sayHealthy(String clientId) {
    ObjectNode payload = Json.object();
    payload.put("status", "HEALTHY");
    payload.put("instance", bus.self().instance());
    payload.put("interval_s", ClientActivity.BEAT_EVERY.toSeconds());
    payload.putNull("busy_until");
    payload.putObject("detail").put("via", "grace");
    send(OutgoingMessage.on(Channel.HEARTBEAT, payload), clientId);
  }

  private void send(OutgoingMessage outgoingMessage, String clientId) {
    // Presence is repeated, so losing one message doesn't matter.
    var _ = bus.sendAsync(outgoingMessage.from(clientId));
  }

  private void run() {
    try {
      while (true) {
        essential.progress();
        timedWait.pause(TICK);
        left(
            queues.takeAbsent(),
            "no call for %d s".formatted(ClientActivity.ABSENT_AFTER.toSeconds()));
        queues.takeBeatsDue(BEATS_PER_SECOND).forEach(this::beat);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** Announces that all clients have left: their queues are gone with Grace. */
  @Override
  public void close() {
    thread.interrupt();
    left(queues.takePresent(), "grace stopped");
  }
}
