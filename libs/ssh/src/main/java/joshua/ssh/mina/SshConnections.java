package joshua.ssh.mina;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.ssh.SshKey;

/** The connections of one listener, within their limits. Guarded by {@code lock}. */
final class SshConnections {
  /** The maximum number that haven't logged in yet. */
  static final int NOT_LOGGED_IN = 64;

  /** The maximum number of those per address. */
  static final int NOT_LOGGED_IN_OF_AN_ADDRESS = 8;

  /** The maximum number that have logged in. */
  static final int SESSIONS = 32;

  /** The maximum number of those per key, so that one key can't keep the others out. */
  static final int SESSIONS_OF_A_KEY = 16;

  /**
   * How long a client may take for the key exchange before another of its address may displace it.
   */
  static final Duration HEAD_START = Duration.ofMillis(500);

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<SshConnection> open = new LinkedHashSet<>();

  /** The decision on a new connection. */
  sealed interface Arrival {
    /** It may log in. */
    record Admitted() implements Arrival {}

    /** It may log in, replacing another connection that is to be closed. */
    record Displacing(SshConnection other, String why) implements Arrival {}

    /** It must be closed. */
    record Refused(String why) implements Arrival {}
  }

  /**
   * Admits a new connection. If there is no room, one that hasn't logged in is displaced: of the
   * same address one that has had time to, otherwise one of the address with the most connections.
   * So connections held open without logging in don't keep others out.
   */
  Arrival came(SshConnection sshConnection) {
    InetAddress address = sshConnection.from().getAddress();
    lock.lock();
    try {
      Map<InetAddress, List<SshConnection>> waiting =
          open.stream()
              .filter(each -> each.login().isEmpty())
              .collect(
                  Collectors.groupingBy(
                      each -> each.from().getAddress(), LinkedHashMap::new, Collectors.toList()));
      List<SshConnection> alike = waiting.getOrDefault(address, List.of());
      if (alike.size() >= NOT_LOGGED_IN_OF_AN_ADDRESS) {
        return displaced(
            sshConnection,
            alike.stream().filter(other -> other.isOlder(sshConnection, HEAD_START)),
            "too many are logging in at once from your address; try again in a moment");
      }
      List<SshConnection> most =
          waiting.values().stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
      if (waiting.values().stream().mapToInt(List::size).sum() >= NOT_LOGGED_IN) {
        return displaced(
            sshConnection,
            most.stream().filter(_ -> most.size() > alike.size()),
            "too many are logging in at once; try again in a moment");
      }
      open.add(sshConnection);
      return new Arrival.Admitted();
    } finally {
      lock.unlock();
    }
  }

  private Arrival displaced(SshConnection sshConnection, Stream<SshConnection> others, String why) {
    Optional<SshConnection> other =
        others
            .filter(each -> !each.deciding())
            .min(Comparator.comparing(SshConnection::isEncrypted));
    if (other.isEmpty()) {
      return new Arrival.Refused(why);
    }
    open.remove(other.get());
    open.add(sshConnection);
    return new Arrival.Displacing(other.get(), why);
  }

  /** Opens a session for a connection, or returns why not. */
  Optional<String> loggedIn(SshConnection sshConnection, SshConnection.Login login) {
    lock.lock();
    try {
      if (!open.contains(sshConnection)) {
        return Optional.of("the connection is being closed");
      }
      if (sessions() >= SESSIONS) {
        return Optional.of("%d sessions are open, and more there can't be".formatted(SESSIONS));
      }
      SshKey key = login.key().key();
      long alike =
          open.stream()
              .flatMap(each -> each.login().stream())
              .filter(each -> each.key().key().equals(key))
              .count();
      if (alike >= SESSIONS_OF_A_KEY) {
        return Optional.of(
            "%d sessions of your key are open, and more there can't be"
                .formatted(SESSIONS_OF_A_KEY));
      }
      sshConnection.loggedIn(login);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  void gone(SshConnection sshConnection) {
    lock.lock();
    try {
      open.remove(sshConnection);
    } finally {
      lock.unlock();
    }
  }

  /** The open connections. */
  List<SshConnection> all() {
    lock.lock();
    try {
      return new ArrayList<>(open);
    } finally {
      lock.unlock();
    }
  }

  /** The number of connections that have logged in. */
  int sessions() {
    return (int) all().stream().filter(each -> each.login().isPresent()).count();
  }
}
