package joshua.ssh.mina;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import joshua.ssh.AdminCaller;
import joshua.ssh.AuthorizedKey;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.server.session.ServerSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: its login, and whether anything runs on it. */
final class SshConnection {
  private static final Logger log = LoggerFactory.getLogger(SshConnection.class);
  private static final AttributeKey<SshConnection> OF_SESSION = new AttributeKey<>();

  /** The login, with the key's line at that time. */
  record Login(AuthorizedKey key, AdminCaller access) {}

  private final ServerSession session;
  private final InetSocketAddress from;
  private final String id;
  private final long begunNanos;
  private final AtomicReference<@Nullable Login> login = new AtomicReference<>();
  private final AtomicLong activeNanos;
  private final AtomicInteger busy = new AtomicInteger();

  private final AtomicBoolean deciding = new AtomicBoolean();

  /** Whether it was asked to end; one that stays nevertheless is cut off. */
  private final AtomicBoolean ended = new AtomicBoolean();

  private final AtomicInteger failures = new AtomicInteger();

  /** Whether the key exchange is done. */
  private volatile boolean encrypted;

  /** Consecutive checks that found the key gone; used by the watching thread alone. */
  private int doubts;

  SshConnection(ServerSession session, String id, long nanos) {
    this.session = session;
    this.from = (InetSocketAddress) session.getClientAddress();
    this.id = id;
    this.begunNanos = nanos;
    this.activeNanos = new AtomicLong(nanos);
    session.setAttribute(OF_SESSION, this);
  }

  static SshConnection of(Session session) {
    return find(session)
        .orElseThrow(() -> new IllegalStateException("a session without its connection"));
  }

  /** Whether it is older than another by this much. */
  boolean isOlder(SshConnection other, Duration by) {
    return other.begunNanos - begunNanos >= by.toNanos();
  }

  /** The connection of a session; empty before it has begun. */
  static Optional<SshConnection> find(Session session) {
    return Optional.ofNullable(session.getAttribute(OF_SESSION));
  }

  String id() {
    return id;
  }

  InetSocketAddress from() {
    return from;
  }

  /** The client's address and port, as recorded. */
  String place() {
    String address = from.getAddress().getHostAddress();
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + from.getPort();
  }

  /** Its age by the steady clock, as everywhere here: setting the system clock ends nothing. */
  Duration age(long nanos) {
    return Duration.ofNanos(nanos - begunNanos);
  }

  Optional<Login> login() {
    return Optional.ofNullable(login.get());
  }

  void loggedIn(Login as) {
    login.set(as);
  }

  /** Whether an answer to an attempt to log in is under way. */
  boolean deciding() {
    return deciding.get();
  }

  void deciding(boolean now) {
    deciding.set(now);
  }

  /** Counts a failed login attempt; returns how many there have been. */
  int failedOnceMore() {
    return failures.incrementAndGet();
  }

  /** The key exchange is done. */
  void encrypted() {
    encrypted = true;
  }

  boolean isEncrypted() {
    return encrypted;
  }

  /** Data has arrived. */
  void active(long nanos) {
    activeNanos.set(nanos);
  }

  /** A verb begins: a connection isn't idle while one runs. */
  void begin() {
    busy.incrementAndGet();
  }

  /** A verb has ended. */
  void end(long nanos) {
    activeNanos.set(nanos);
    busy.decrementAndGet();
  }

  boolean idleFor(Duration longest, long nanos) {
    return busy.get() == 0 && nanos - activeNanos.get() > longest.toNanos();
  }

  /** Counts consecutive checks with {@code doubtful}. */
  int doubts(boolean doubtful) {
    doubts = doubtful ? doubts + 1 : 0;
    return doubts;
  }

  /** Ends it, with a sentence that the client gets to read. */
  void end(String sentence) {
    end(SshConstants.SSH2_DISCONNECT_BY_APPLICATION, sentence);
  }

  /** Ends it because a limit was reached. */
  void refuse(String sentence) {
    end(SshConstants.SSH2_DISCONNECT_TOO_MANY_CONNECTIONS, sentence);
  }

  private void end(int reason, String sentence) {
    if (ended.getAndSet(true)) {
      session.close(true);
      return;
    }
    log.info("the SSH connection {} from {} is ended: {}", id, place(), sentence);
    try {
      session.disconnect(reason, sentence);
    } catch (IOException e) {
      session.close(true);
    }
  }
}
