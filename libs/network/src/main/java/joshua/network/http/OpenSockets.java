package joshua.network.http;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import joshua.kernel.Pause;

/** The WebSockets of one server: how many there may be, and what keeps them alive. */
final class OpenSockets {
  /** The most WebSockets at once; one more upgrade is refused with 503. */
  static final int MAX_SOCKETS = 20_000;

  /** How often every peer is pinged. */
  static final Duration PING_EVERY = Duration.ofSeconds(20);

  /** How long a peer has to take the close frame. */
  static final Duration GOODBYE = Duration.ofMillis(500);

  /** How long a stop waits for answers that are under way. */
  static final Duration LAST_ANSWERS = Duration.ofMillis(1200);

  private static final Duration LOOK = Duration.ofMillis(5);

  private final Map<Socket, RevocationWatch.Watched> sockets = new ConcurrentHashMap<>();
  private final int most;
  private final RevocationWatch revocations;
  private final Backlog backlog;
  private final Pause pause;
  private final Thread pinger;

  /**
   * No sockets yet.
   *
   * @param most how many there may be at once
   * @param backlog what they may make the server hold
   */
  OpenSockets(
      int most, Backlog backlog, RevocationWatch revocations, Pause pause, MeterRegistry meters) {
    this.backlog = backlog;
    this.revocations = revocations;
    this.most = most;
    this.pause = pause;
    this.pinger = Thread.ofVirtual().name("socket-pings").start(this::pingAll);
    meters.gauge("joshua.sockets.open", sockets, Map::size);
    meters.gauge("joshua.sockets.bytes", backlog, Backlog::bytes);
  }

  /** Whether one more socket may be opened; upgrades in the same instant may all be told so. */
  boolean hasRoom() {
    return sockets.size() < most;
  }

  void opened(Socket socket) {
    RevocationWatch.Watched watched = revocations.watch(socket::isStillOpeners, socket::revoked);
    sockets.put(socket, watched);
    backlog.join(socket);
    watched.look();
  }

  void gone(Socket socket) {
    backlog.leave(socket);
    RevocationWatch.Watched watched = sockets.remove(socket);
    if (watched != null) {
      watched.close();
    }
  }

  Backlog backlog() {
    return backlog;
  }

  /** While more is held than may be, closes or gives up the one for which most is. */
  void relieve() {
    backlog.relieve();
  }

  /** Cuts the socket off unless its goodbye is over within {@link #GOODBYE}. */
  void disconnectSoon(Socket socket) {
    Thread.ofVirtual()
        .name("socket-goodbye")
        .start(() -> {
          try {
            pause.pause(GOODBYE);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          socket.disconnect();
        });
  }

  /**
   * Lets answers under way be sent for a moment, then closes all.
   *
   * @param othersIdle whether what else is waited for has come to its end
   */
  void close(BooleanSupplier othersIdle) {
    pinger.interrupt();
    try {
      sockets.keySet().forEach(Socket::stopping);
      await(
          () -> othersIdle.getAsBoolean() && sockets.keySet().stream().allMatch(Socket::idle),
          LAST_ANSWERS);
      sockets
          .keySet()
          .forEach(socket -> socket.close(Socket.GOING_AWAY, "the service is stopping"));
      await(sockets::isEmpty, GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(BooleanSupplier fact, Duration atMost) throws InterruptedException {
    for (Duration waited = Duration.ZERO;
        waited.compareTo(atMost) < 0 && !fact.getAsBoolean();
        waited = waited.plus(LOOK)) {
      pause.pause(LOOK);
    }
  }

  private void pingAll() {
    try {
      while (true) {
        pause.pause(PING_EVERY);
        sockets.keySet().forEach(Socket::ping);
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }
}
