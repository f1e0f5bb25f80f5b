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

/** All connections of one listener, and how many there may be. Guarded by {@code lock}. */
final class SshConnections {
  /** The most that haven't logged in yet. */
  static final int NOT_LOGGED_IN = 64;

  /** The most of those from one address. */
  static final int NOT_LOGGED_IN_OF_AN_ADDRESS = 8;

  /** The most that have logged in. */
  static final int SESSIONS = 32;

  /** The most of those by one key, so that none can keep the others out. */
  static final int SESSIONS_OF_A_KEY = 16;

  /** How long a client may take to agree on keys before another of its address takes its place. */
  static final Duration HEAD_START = Duration.ofMillis(500);

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<SshConnection> open = new LinkedHashSet<>();

  /** What a new connection meets. */
  sealed interface Arrival {
    /** It may log in. */
    record Admitted() implements Arrival {}

    /** It may log in, in the place of another one that is to be closed. */
    record Displacing(SshConnection other, String why) implements Arrival {}

    /** It has to go. */
    record Refused(String why) implements Arrival {}
  }

  /**
   * Takes in a connection that has just come. Where there is no room, one that has come no further
   * makes room for it: of the same address one that has had time to, otherwise one of the address
   * that has the most. So connections that are held open without logging in don't keep others out.
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

  /** Makes a session of one, or says why not. */
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

  /** Those that are open now. */
  List<SshConnection> all() {
    lock.lock();
    try {
      return new ArrayList<>(open);
    } finally {
      lock.unlock();
    }
  }

  /** How many of them have logged in. */
  int sessions() {
    return (int) all().stream().filter(each -> each.login().isPresent()).count();
  }
}
