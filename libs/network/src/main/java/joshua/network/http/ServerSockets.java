package joshua.network.http;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import joshua.kernel.TimedWait;

/** The WebSockets of one server: their maximum number, and the pings that keep them alive. */
final class ServerSockets {
  /** The most WebSockets at once; one more upgrade is refused with 503. */
  static final int MAX_SOCKETS = 20_000;

  /** How often every peer is pinged. */
  static final Duration PING_EVERY = Duration.ofSeconds(20);

  /** How long a peer has to take the close frame. */
  static final Duration GOODBYE = Duration.ofMillis(500);

  /** How long a stop waits for answers that are under way. */
  static final Duration LAST_ANSWERS = Duration.ofMillis(1200);

  private static final Duration LOOK = Duration.ofMillis(5);

  private final Map<JettyWebSocket, RevocationWatch.Watched> sockets = new ConcurrentHashMap<>();
  private final int most;
  private final RevocationWatch revocations;
  private final SocketMemoryBudget socketMemoryBudget;
  private final TimedWait timedWait;
  private final Thread pinger;

  /**
   * Creates it without sockets.
   *
   * @param most how many there may be at once
   * @param socketMemoryBudget what they may make the server hold
   */
  ServerSockets(
      int most,
      SocketMemoryBudget socketMemoryBudget,
      RevocationWatch revocations,
      TimedWait timedWait,
      MeterRegistry meters) {
    this.socketMemoryBudget = socketMemoryBudget;
    this.revocations = revocations;
    this.most = most;
    this.timedWait = timedWait;
    this.pinger = Thread.ofVirtual().name("socket-pings").start(this::pingAll);
    meters.gauge("joshua.sockets.open", sockets, Map::size);
    meters.gauge("joshua.sockets.bytes", socketMemoryBudget, SocketMemoryBudget::bytes);
  }

  /** Whether one more socket may be opened; simultaneous upgrades may all get true. */
  boolean hasRoom() {
    return sockets.size() < most;
  }

  void opened(JettyWebSocket jettyWebSocket) {
    RevocationWatch.Watched watched =
        revocations.watch(jettyWebSocket::isStillOpeners, jettyWebSocket::revoked);
    sockets.put(jettyWebSocket, watched);
    socketMemoryBudget.join(jettyWebSocket);
    watched.look();
  }

  void gone(JettyWebSocket jettyWebSocket) {
    socketMemoryBudget.leave(jettyWebSocket);
    RevocationWatch.Watched watched = sockets.remove(jettyWebSocket);
    if (watched != null) {
      watched.close();
    }
  }

  SocketMemoryBudget backlog() {
    return socketMemoryBudget;
  }

  /** While too much is held, closes or gives up the socket for which most is held. */
  void relieve() {
    socketMemoryBudget.relieve();
  }

  /** Disconnects the socket unless its close handshake is over within {@link #GOODBYE}. */
  void disconnectSoon(JettyWebSocket jettyWebSocket) {
    Thread.ofVirtual()
        .name("socket-goodbye")
        .start(() -> {
          try {
            timedWait.pause(GOODBYE);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          jettyWebSocket.disconnect();
        });
  }

  /**
   * Waits a moment for answers under way to be sent, then closes all.
   *
   * @param othersIdle whether the other requests that are waited for have ended
   */
  void close(BooleanSupplier othersIdle) {
    pinger.interrupt();
    try {
      sockets.keySet().forEach(JettyWebSocket::stopping);
      await(
          () ->
              othersIdle.getAsBoolean() && sockets.keySet().stream().allMatch(JettyWebSocket::idle),
          LAST_ANSWERS);
      sockets
          .keySet()
          .forEach(jettyWebSocket ->
              jettyWebSocket.close(JettyWebSocket.GOING_AWAY, "the service is stopping"));
      await(sockets::isEmpty, GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(BooleanSupplier fact, Duration atMost) throws InterruptedException {
    for (Duration waited = Duration.ZERO;
        waited.compareTo(atMost) < 0 && !fact.getAsBoolean();
        waited = waited.plus(LOOK)) {
      timedWait.pause(LOOK);
    }
  }

  private void pingAll() {
    try {
      while (true) {
        timedWait.pause(PING_EVERY);
        sockets.keySet().forEach(JettyWebSocket::ping);
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }
}
