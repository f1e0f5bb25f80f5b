package joshua.ssh.mina;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import joshua.ssh.SshKey;

/** All connections of one listener, and how many there may be. Guarded by {@code lock}. */
final class Connections {
  /** The most that haven't logged in yet. */
  static final int NOT_LOGGED_IN = 64;

  /** The most of those from one address. */
  static final int NOT_LOGGED_IN_OF_AN_ADDRESS = 8;

  /** The most that have logged in. */
  static final int SESSIONS = 32;

  /** The most of those by one key, so that none can keep the others out. */
  static final int SESSIONS_OF_A_KEY = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Connection> open = new LinkedHashSet<>();

  /** Takes one in that has just come, or says why not. */
  Optional<String> came(Connection connection) {
    InetAddress address = connection.from().getAddress();
    lock.lock();
    try {
      long waiting = open.stream().filter(each -> each.login().isEmpty()).count();
      long alike =
          open.stream()
              .filter(each -> each.login().isEmpty())
              .filter(each -> each.from().getAddress().equals(address))
              .count();
      if (waiting >= NOT_LOGGED_IN || alike >= NOT_LOGGED_IN_OF_AN_ADDRESS) {
        return Optional.of(
            "too many are logging in at once%s; try again in a moment"
                .formatted(waiting >= NOT_LOGGED_IN ? "" : " from your address"));
      }
      open.add(connection);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a session of one, or says why not. */
  Optional<String> loggedIn(Connection connection, Connection.Login login) {
    lock.lock();
    try {
      if (!open.contains(connection)) {
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
      connection.loggedIn(login);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  void gone(Connection connection) {
    lock.lock();
    try {
      open.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Those that are open now. */
  List<Connection> all() {
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
