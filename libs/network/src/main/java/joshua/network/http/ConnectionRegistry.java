package joshua.network.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import joshua.kernel.TimedWait;
import joshua.network.http.TrackedConnection.Address;
import joshua.network.http.TrackedConnection.State;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connections of one server: their maximum number, in all and per address, and the time
 * that each may take for the head of a request (+JN-03). When room is needed, the one that has been
 * idle longest is closed first. Guarded by {@code lock}; connections are closed outside it.
 */
final class ConnectionRegistry
    implements Connection.Listener,
        SelectorManager.AcceptListener,
        HttpConfiguration.Customizer,
        AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConnectionRegistry.class);
  private static final int IPV6_NETWORK_BYTES = 8;
  private static final long TELL_AGAIN_NANOS = 60_000_000_000L;

  /** A connection to close; without a reason if its peer was sent that a while ago. */
  private record Ending(TrackedConnection connection, @Nullable EndingReason reason) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<SelectableChannel, TrackedConnection> open = new HashMap<>();
  private final Map<ByteBuffer, Address> addresses = new HashMap<>();
  private final LinkedHashSet<TrackedConnection> unfinished = new LinkedHashSet<>();
  private final LinkedHashSet<TrackedConnection> idle = new LinkedHashSet<>();
  private final LinkedHashSet<TrackedConnection> answered = new LinkedHashSet<>();
  private final LinkedHashSet<TrackedConnection> ending = new LinkedHashSet<>();
  private final Map<EndingReason, Counter> ended = new EnumMap<>(EndingReason.class);
  private final ConnectionLimits limits;
  private final LongSupplier nanoTime;
  private final Thread sweeper;
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private long toldAt;
  private long untold;

  /**
   * Creates an empty registry.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   * @param alsoLate ends other late work; run as often as connections are checked
   */
  ConnectionRegistry(
      ConnectionLimits limits,
      LongSupplier nanoTime,
      TimedWait timedWait,
      MeterRegistry meters,
      Runnable alsoLate) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.toldAt = nanoTime.getAsLong() - TELL_AGAIN_NANOS;
    meters.gauge("joshua.connections.open", this, registry -> registry.count(open.values()));
    meters.gauge("joshua.connections.unfinished", this, registry -> registry.count(unfinished));
    meters.gauge("joshua.connections.idle", this, registry -> registry.count(idle));
    for (EndingReason reason : EndingReason.values()) {
      ended.put(
          reason,
          Counter.builder("joshua.connections.ended")
              .description("Connections that the server has ended, by the reason")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
    this.sweeper =
        Thread.ofVirtual().name("connection-deadlines").start(() -> sweepAll(timedWait, alsoLate));
  }

  private int count(Collection<?> connections) {
    lock.lock();
    try {
      return connections.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many connections have been opened up to now. */
  long opened() {
    return opened.get();
  }

  /** How many requests have come up to now, as far as their heads. */
  long requests() {
    return requests.get();
  }

  private static @Nullable SelectableChannel channel(Connection connection) {
    return connection.getEndPoint() instanceof SocketChannelEndPoint endPoint
        ? endPoint.getChannel()
        : null;
  }

  private static ByteBuffer addressKey(Connection connection) {
    byte[] none = {};
    if (!(connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote)
        || remote.getAddress() == null) {
      return ByteBuffer.wrap(none);
    }
    byte[] bytes = remote.getAddress().getAddress();
    return remote.getAddress() instanceof Inet6Address
        ? ByteBuffer.wrap(bytes, 0, IPV6_NETWORK_BYTES).slice()
        : ByteBuffer.wrap(bytes);
  }

  /** A connection has come, or the one that was there has become a WebSocket. */
  @Override
  public void onOpened(Connection connection) {
    SelectableChannel channel = channel(connection);
    if (channel == null) {
      return;
    }
    opened.incrementAndGet();
    List<Ending> endings = new ArrayList<>();
    lock.lock();
    try {
      TrackedConnection known = open.get(channel);
      if (known != null) {
        known.upgraded = true;
        if (known.state != State.ENDING) {
          move(known, State.SERVED);
        }
        return;
      }
      Address address = addresses.computeIfAbsent(addressKey(connection), Address::new);
      TrackedConnection tracked = new TrackedConnection(connection, address, nanoTime.getAsLong());
      open.put(channel, tracked);
      address.connections++;
      move(tracked, State.UNFINISHED);
      makeRoom(tracked, endings);
    } finally {
      lock.unlock();
    }
    endings.forEach(this::end);
  }

  private void makeRoom(TrackedConnection newest, List<Ending> endings) {
    Address address = newest.address;
    if (open.size() - ending.size() > limits.all() && !endIdle(idle, endings)) {
      plan(newest, EndingReason.REFUSED, endings);
    } else if (address.connections > limits.ofAddress() && !endIdle(address.idle, endings)) {
      plan(newest, EndingReason.REFUSED, endings);
    } else if (address.unfinished.size() > limits.unfinishedOfAddressInBurst()) {
      plan(address.unfinished.getFirst(), EndingReason.UNFINISHED, endings);
    } else if (unfinished.size() > limits.unfinishedInBurst()) {
      plan(unfinished.getFirst(), EndingReason.UNFINISHED, endings);
    }
  }

  private boolean endIdle(SequencedSet<TrackedConnection> from, List<Ending> endings) {
    if (from.isEmpty()) {
      return false;
    }
    plan(from.getFirst(), EndingReason.IDLE, endings);
    return true;
  }

  private void plan(TrackedConnection connection, EndingReason reason, List<Ending> endings) {
    move(connection, State.ENDING);
    endings.add(new Ending(connection, reason));
    while (ending.size() > limits.ending()) {
      TrackedConnection first = ending.removeFirst();
      endings.add(new Ending(first, null));
    }
  }

  /** Moves it among the sets; an address counts those that aren't being ended. */
  private void move(TrackedConnection tracked, State state) {
    forget(tracked);
    tracked.state = state;
    tracked.since = nanoTime.getAsLong();
    switch (state) {
      case UNFINISHED -> {
        unfinished.add(tracked);
        tracked.address.unfinished.add(tracked);
      }
      case IDLE -> {
        tracked.bytesAtRest = tracked.connection.getBytesIn();
        idle.add(tracked);
        tracked.address.idle.add(tracked);
      }
      case ANSWERED -> answered.add(tracked);
      case ENDING -> {
        ending.add(tracked);
        leaveAddress(tracked.address);
      }
      case SERVED -> {}
    }
  }

  private void forget(TrackedConnection tracked) {
    switch (tracked.state) {
      case UNFINISHED -> {
        unfinished.remove(tracked);
        tracked.address.unfinished.remove(tracked);
      }
      case IDLE -> {
        idle.remove(tracked);
        tracked.address.idle.remove(tracked);
      }
      case ANSWERED -> answered.remove(tracked);
      case ENDING -> ending.remove(tracked);
      case SERVED -> {}
    }
  }

  private void leaveAddress(Address address) {
    if (--address.connections == 0) {
      addresses.remove(address.key);
    }
  }

  /** The head of a request is whole: its connection has what it needs, and no deadline of ours. */
  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    SelectableChannel channel = channel(request.getConnectionMetaData().getConnection());
    if (channel == null) {
      return request;
    }
    requests.incrementAndGet();
    boolean page = !McpHttp.PATH.equals(request.getHttpURI().getPath());
    lock.lock();
    try {
      TrackedConnection tracked = open.get(channel);
      if (tracked == null || tracked.state == State.ENDING) {
        // The peer has been sent the reason already.
        throw new HttpException.RuntimeException(408);
      }
      move(tracked, page ? State.ANSWERED : State.SERVED);
      Request.addCompletionListener(request, _ -> served(tracked));
    } finally {
      lock.unlock();
    }
    return request;
  }

  private void served(TrackedConnection tracked) {
    lock.lock();
    try {
      if (!tracked.upgraded && (tracked.state == State.SERVED || tracked.state == State.ANSWERED)) {
        move(tracked, State.IDLE);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onClosed(SelectableChannel channel) {
    lock.lock();
    try {
      TrackedConnection tracked = open.remove(channel);
      if (tracked != null) {
        boolean wasEnding = tracked.state == State.ENDING;
        forget(tracked);
        tracked.state = State.ENDING;
        if (!wasEnding) {
          leaveAddress(tracked.address);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void sweepAll(TimedWait timedWait, Runnable alsoLate) {
    try {
      while (true) {
        timedWait.pause(ConnectionLimits.EVERY);
        sweep();
        alsoLate.run();
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }

  /** Ends what is late. */
  private void sweep() {
    List<Ending> endings = new ArrayList<>();
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      for (TrackedConnection one : ending) {
        if (one.told) {
          endings.add(new Ending(one, null));
        }
        one.told = true;
      }
      idle.stream()
          .filter(TrackedConnection::isWoken)
          .toList()
          .forEach(one -> move(one, State.UNFINISHED));
      for (TrackedConnection one : List.copyOf(unfinished)) {
        long age = now - one.since;
        if (age >= ConnectionLimits.HEAD.toNanos()) {
          plan(one, EndingReason.LATE_HEAD, endings);
        } else if (age >= ConnectionLimits.BURST.toNanos()
            && (unfinished.size() > limits.unfinished()
                || one.address.unfinished.size() > limits.unfinishedOfAddress())) {
          plan(one, EndingReason.UNFINISHED, endings);
        }
      }
      for (TrackedConnection one : List.copyOf(answered)) {
        if (now - one.since >= ConnectionLimits.PAGE.toNanos()) {
          plan(one, EndingReason.LATE_PAGE, endings);
        }
      }
    } finally {
      lock.unlock();
    }
    endings.forEach(this::end);
  }

  private void end(Ending what) {
    EndingReason reason = what.reason();
    if (reason == null) {
      what.connection().close();
      return;
    }
    Counter counter = ended.get(reason);
    if (counter != null) {
      counter.increment();
    }
    if (reason.isSilent()) {
      what.connection().close();
    } else {
      what.connection().say(reason.answer());
      tell(reason);
    }
  }

  /** One line a minute at most, with how many it stands for. */
  private void tell(EndingReason reason) {
    long count;
    lock.lock();
    try {
      untold++;
      long now = nanoTime.getAsLong();
      if (now - toldAt < TELL_AGAIN_NANOS) {
        return;
      }
      toldAt = now;
      count = untold;
      untold = 0;
    } finally {
      lock.unlock();
    }
    log.warn(
        "connections ended: {}, the last because: {}; /metrics counts them by reason",
        count,
        reason.sentence());
  }

  @Override
  public void close() {
    sweeper.interrupt();
  }
}
