package joshua.network.http;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
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

  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final int most;
  private final Backlog backlog = new Backlog();
  private final Pause pause;
  private final Thread pinger;

  /**
   * No sockets yet.
   *
   * @param most how many there may be at once
   */
  OpenSockets(int most, Pause pause, MeterRegistry meters) {
    this.most = most;
    this.pause = pause;
    this.pinger = Thread.ofVirtual().name("socket-pings").start(this::pingAll);
    meters.gauge("joshua.sockets.open", sockets, Set::size);
    meters.gauge("joshua.sockets.bytes", backlog, Backlog::bytes);
  }

  /** Whether one more socket may be opened; upgrades in the same instant may all be told so. */
  boolean hasRoom() {
    return sockets.size() < most;
  }

  void opened(Socket socket) {
    sockets.add(socket);
  }

  void gone(Socket socket) {
    sockets.remove(socket);
  }

  Backlog backlog() {
    return backlog;
  }

  /** While more is held than may be, closes the socket for which most is. */
  void relieve() {
    while (backlog.isTooLong()) {
      Socket most = null;
      long heldForMost = 0;
      long heldForAll = 0;
      for (Socket socket : sockets) {
        long held = socket.held();
        heldForAll += held;
        if (held > heldForMost) {
          most = socket;
          heldForMost = held;
        }
      }
      // Others have closed sockets since the look at the backlog: who is left isn't to blame.
      if (most == null || heldForAll <= Backlog.MOST) {
        return;
      }
      most.close(
          Socket.TRY_LATER,
          "more than %d MiB are held for all, and most for this one; read, and finish what is sent"
              .formatted(Backlog.MOST >> 20));
    }
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
      sockets.forEach(Socket::stopping);
      await(
          () -> othersIdle.getAsBoolean() && sockets.stream().allMatch(Socket::idle), LAST_ANSWERS);
      sockets.forEach(socket -> socket.close(Socket.GOING_AWAY, "the service is stopping"));
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
        sockets.forEach(Socket::ping);
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }
}
