package joshua.conversation;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Recurring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the bus, which all participants of a process may share: Redis then sends the
 * process each message once for each pattern, however many follow it.
 */
public final class BusConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BusConnection.class);

  private final Timing timing;
  private final Map<String, Followed> followed = new ConcurrentHashMap<>();
  private final ScheduledExecutorService tick =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("bus-tick").factory());
  private final BusTransport transport;

  /** A pattern that is subscribed to, and how often each listener follows it. */
  private record Followed(CompletableFuture<Void> confirmed, Map<BusListener, Integer> by) {
    Followed with(BusListener listener, int more) {
      Map<BusListener, Integer> changed = new LinkedHashMap<>(by);
      changed.merge(listener, more, (before, added) -> before + added == 0 ? null : before + added);
      return new Followed(confirmed, changed);
    }
  }

  /** Connects; where that isn't possible now, nothing goes on. */
  public BusConnection(BusTransport.Connector connector, Timing timing)
      throws BusUnavailableException, InterruptedException {
    this.timing = timing;
    this.transport = connector.connect(new Routing(followed));
    every(timing.pingEvery(), transport::ping);
    every(timing.restoreEvery(), transport::restore);
  }

  /** What carries messages, to be asked about Redis; participants send and follow for others. */
  public BusTransport transport() {
    return transport;
  }

  Timing timing() {
    return timing;
  }

  /** Repeats work on the one thread for what recurs; the work mustn't block. */
  public ScheduledFuture<?> every(Duration interval, Runnable work) {
    return tick.scheduleWithFixedDelay(
        Recurring.surviving(work), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Tells a listener each message that matches a pattern from the return of this method on, once,
   * however often it follows it.
   *
   * @throws BusUnavailableException where Redis doesn't confirm in time; nothing is followed then
   */
  public Subscription follow(ChannelPattern pattern, BusListener listener)
      throws BusUnavailableException, InterruptedException {
    AtomicBoolean closed = new AtomicBoolean();
    Subscription subscription =
        () -> {
          if (!closed.getAndSet(true)) {
            remove(pattern, listener);
          }
        };
    Followed following =
        followed.compute(
            pattern.text(),
            (text, before) ->
                (before == null ? new Followed(transport.subscribe(pattern), Map.of()) : before)
                    .with(listener, 1));
    try {
      following.confirmed().get(timing.replyWithin().toNanos(), TimeUnit.NANOSECONDS);
      return subscription;
    } catch (ExecutionException | TimeoutException e) {
      subscription.close();
      throw e.getCause() instanceof BusUnavailableException refused
          ? refused
          : new BusUnavailableException(
              "Redis at %s did not confirm a subscription in time.".formatted(transport.address()),
              e);
    } catch (InterruptedException e) {
      subscription.close();
      throw e;
    }
  }

  private void remove(ChannelPattern pattern, BusListener listener) {
    followed.computeIfPresent(
        pattern.text(),
        (text, before) -> {
          Followed rest = before.with(listener, -1);
          if (rest.by().isEmpty()) {
            transport.unsubscribe(pattern);
            return null;
          }
          return rest;
        });
  }

  /** Hands the copies of a subscription to those who follow it. */
  private record Routing(Map<String, Followed> followed) implements BusTransport.Receiver {
    @Override
    public void onCopy(String subscription, String channel, byte[] body) {
      Followed present = followed.get(subscription);
      if (present != null) { // It may have been given up a moment ago.
        for (BusListener listener : present.by().keySet()) {
          tell(() -> listener.onMessage(channel, body));
        }
      }
    }

    @Override
    public void onGap(Instant since) {
      Gap gap = Gap.reconnect(since);
      followed.values().stream()
          .flatMap(each -> each.by().keySet().stream())
          .forEach(listener -> tell(() -> listener.onGap(gap)));
    }

    private static void tell(Runnable news) {
      try {
        news.run();
      } catch (RuntimeException | Error e) {
        log.warn("a listener of the bus failed; it hears the next message all the same", e);
      }
    }
  }

  /** Disconnects, when its participants have been closed. */
  @Override
  public void close() {
    tick.shutdownNow();
    transport.close();
  }
}
