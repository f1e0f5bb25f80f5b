package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.bridge.EndpointResolver.EndpointUnavailableException;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.ResourceSubscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one MAD that reconnects for as long as the bridge runs.
 *
 * <p>While disconnected, it retries after 100 ms, doubling to a second; a call that comes meanwhile
 * makes it try at once, and waits for that attempt. Guarded by {@code lock}; messages are queued
 * under it, so that they go out in the order of the calls.
 */
final class ReconnectingMcpClient implements AutoCloseable {
  /** The most calls that wait for an attempt. */
  static final int MAX_WAITING = MadSession.MAX_CALLS;

  /** The most resources of one MAD that are watched; each is a request under way there. */
  static final int MAX_WATCHES = 256;

  private static final Logger log = LoggerFactory.getLogger(ReconnectingMcpClient.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration PING_EVERY = Duration.ofSeconds(5);
  private static final int HONOURED_WITHIN_SECONDS = 3;

  /** A listener for the MAD's state. Called on the client's own thread, and may block it. */
  interface Listener {
    /** The MAD is connected. */
    void came();

    /** One of its lists has changed. */
    void changed();
  }

  private final McpClientSettings terms;
  private final EndpointResolver endpointResolver;
  private final LongSupplier nanoTime;
  private final Listener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stirred = lock.newCondition();
  private final Deque<MadCall> waiting = new ArrayDeque<>();
  private final Set<Watch> watches = new LinkedHashSet<>();
  private @Nullable MadSession session;
  private boolean hurry;
  private boolean changed;
  private boolean closed;

  /** A resource that is watched, over all connections. */
  private static final class Watch {
    private final String uri;
    private final Runnable changed;
    private MadSession.@Nullable Listening listening;

    private Watch(String uri, Runnable changed) {
      this.uri = uri;
      this.changed = changed;
    }
  }

  /** Creates a client that hasn't been started. */
  ReconnectingMcpClient(
      McpClientSettings terms,
      EndpointResolver endpointResolver,
      LongSupplier nanoTime,
      Listener listener) {
    this.terms = terms;
    this.endpointResolver = endpointResolver;
    this.nanoTime = nanoTime;
    this.listener = listener;
  }

  void start() {
    Thread.ofVirtual().name("bridge-" + terms.mad()).start(this::run);
  }

  boolean isConnected() {
    lock.lock();
    try {
      return session != null && !session.ended().isDone();
    } finally {
      lock.unlock();
    }
  }

  /** Sends a request as soon as there is a connection; never blocks. */
  void ask(MadCall madCall) {
    lock.lock();
    try {
      if (closed) {
        madCall.end(MadCallOutcome.unsent(ErrorCode.BUS_UNAVAILABLE, "The bridge ends."));
      } else if (session != null && !session.ended().isDone()) {
        session.ask(madCall);
      } else if (waiting.size() >= MAX_WAITING) {
        madCall.end(
            MadCallOutcome.refused(
                ErrorCode.OVERLOADED,
                "%d calls wait for %s to come; await some answers first."
                    .formatted(MAX_WAITING, terms.mad())));
      } else {
        waiting.add(madCall);
        hurry = true;
        stirred.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs {@code changed} whenever a resource reads differently, or may: when the MAD has come back.
   *
   * @return empty if the MAD has no such resource, or too many are watched; present while the MAD
   *     isn't there to be asked
   */
  Optional<ResourceSubscription> watch(String uri, Runnable changed) throws InterruptedException {
    Watch watch = new Watch(uri, changed);
    MadSession.Listening listening;
    lock.lock();
    try {
      if (watches.size() >= MAX_WATCHES) {
        return Optional.empty();
      }
      watches.add(watch);
      listening = listen(watch);
    } finally {
      lock.unlock();
    }
    ResourceSubscription kept = () -> drop(watch);
    if (listening != null && !isHonoured(listening)) {
      kept.close();
      return Optional.empty();
    }
    return Optional.of(kept);
  }

  private MadSession.@Nullable Listening listen(Watch watch) {
    MadSession now = session;
    if (now == null) {
      return null;
    }
    ObjectNode filter = Json.object();
    filter.putArray("resourceSubscriptions").add(watch.uri);
    watch.listening = now.listen(filter, _ -> watch.changed.run());
    return watch.listening;
  }

  private static boolean isHonoured(MadSession.Listening listening) throws InterruptedException {
    try {
      ObjectNode honoured = listening.honoured().get(HONOURED_WITHIN_SECONDS, TimeUnit.SECONDS);
      return honoured.has("resourceSubscriptions");
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private void drop(Watch watch) {
    MadSession.Listening listening;
    lock.lock();
    try {
      watches.remove(watch);
      listening = watch.listening;
    } finally {
      lock.unlock();
    }
    if (listening != null) {
      listening.close();
    }
  }

  private void run() {
    Duration rest = FIRST_PAUSE;
    try (HttpClient http = httpClient()) {
      while (!isClosed()) {
        int waitedBefore = begin();
        try {
          attend(MadSession.open(terms, http, endpointResolver.find(), nanoTime));
          rest = FIRST_PAUSE;
        } catch (EndpointUnavailableException e) {
          log.debug("{}", e.sentence());
          refuseWaiting(e, waitedBefore);
        }
        rest(rest);
        rest =
            rest.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? rest.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("the way to {} is closed by a mistake of ours", terms.mad(), e);
    } finally {
      close();
    }
  }

  /**
   * Created on the client's own thread, since that takes long enough to be noticed at the start.
   */
  private static HttpClient httpClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .proxy(HttpClient.Builder.NO_PROXY)
        .build();
  }

  private void attend(MadSession opened) throws InterruptedException {
    var _ = opened.ended().thenRun(this::stir);
    List<Watch> watched = connected(opened);
    try {
      ObjectNode lists = Json.object();
      lists.put("toolsListChanged", true).put("promptsListChanged", true);
      lists.put("resourcesListChanged", true);
      opened.listen(lists, this::listChanged);
      listener.came();
      watched.forEach(watch -> watch.changed.run());
      while (stays(opened)) {
        if (takeChanged()) {
          listener.changed();
        }
        opened.keepAlive();
      }
    } finally {
      opened.close();
      disconnected();
    }
  }

  private List<Watch> connected(MadSession opened) {
    log.info("connected to {}", terms.mad());
    lock.lock();
    try {
      session = opened;
      hurry = false;
      for (MadCall madCall = waiting.poll(); madCall != null; madCall = waiting.poll()) {
        if (!madCall.hasEnded()) {
          opened.ask(madCall);
        }
      }
      watches.forEach(this::listen);
      return new ArrayList<>(watches);
    } finally {
      lock.unlock();
    }
  }

  private void disconnected() {
    log.info("disconnected from {}", terms.mad());
    lock.lock();
    try {
      session = null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for something to do; false when the connection, or everything, has ended. */
  private boolean stays(MadSession opened) throws InterruptedException {
    long nanos = PING_EVERY.toNanos();
    lock.lockInterruptibly();
    try {
      while (!closed && !changed && !opened.ended().isDone() && nanos > 0) {
        nanos = stirred.awaitNanos(nanos);
      }
      return !closed && !opened.ended().isDone();
    } finally {
      lock.unlock();
    }
  }

  private void rest(Duration rest) throws InterruptedException {
    long nanos = rest.toNanos();
    lock.lockInterruptibly();
    try {
      while (!closed && !hurry && nanos > 0) {
        nanos = stirred.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins an attempt; how many calls wait for it. */
  private int begin() {
    lock.lock();
    try {
      hurry = false;
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Refuses the first calls that wait; those that came later wait for the next attempt. */
  private void refuseWaiting(EndpointUnavailableException endpointUnavailableException, int count) {
    List<MadCall> refused = new ArrayList<>();
    lock.lock();
    try {
      while (refused.size() < count && !waiting.isEmpty()) {
        refused.add(waiting.remove());
      }
    } finally {
      lock.unlock();
    }
    refused.forEach(madCall ->
        madCall.end(
            MadCallOutcome.unsent(
                endpointUnavailableException.code(), endpointUnavailableException.sentence())));
  }

  private void listChanged(JsonRpc.Notification notification) {
    lock.lock();
    try {
      changed = true;
      stirred.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean takeChanged() {
    lock.lock();
    try {
      boolean was = changed;
      changed = false;
      return was;
    } finally {
      lock.unlock();
    }
  }

  private void stir() {
    lock.lock();
    try {
      stirred.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    MadSession open;
    lock.lock();
    try {
      closed = true;
      open = session;
      stirred.signalAll();
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.close();
    }
    refuseWaiting(new EndpointUnavailableException("The bridge ends."), MAX_WAITING);
  }
}
