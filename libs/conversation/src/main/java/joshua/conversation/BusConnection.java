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
 * process each message once for each pattern, however many listeners it has.
 */
public final class BusConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BusConnection.class);

  private final Timing timing;
  private final Map<String, Listeners> subscriptions = new ConcurrentHashMap<>();
  private final ScheduledExecutorService tick =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("bus-tick").factory());
  private final BusTransport transport;

  /** The listeners of a subscription, with the number of times that each follows it. */
  private record Listeners(CompletableFuture<Void> confirmed, Map<BusListener, Integer> counts) {
    Listeners with(BusListener listener, int more) {
      Map<BusListener, Integer> changed = new LinkedHashMap<>(counts);
      changed.merge(listener, more, (before, added) -> before + added == 0 ? null : before + added);
      return new Listeners(confirmed, changed);
    }
  }

  /** Connects; nothing is left running where that fails. */
  public BusConnection(BusTransport.Connector connector, Timing timing)
      throws BusUnavailableException, InterruptedException {
    this.timing = timing;
    this.transport = connector.connect(new Dispatcher(subscriptions));
    every(timing.pingInterval(), transport::ping);
    every(timing.resubscribeInterval(), transport::resubscribe);
  }

  /** The transport, for questions about Redis. To send and follow, use {@link ConversationBus}. */
  public BusTransport transport() {
    return transport;
  }

  Timing timing() {
    return timing;
  }

  /** Repeats work on the one timer thread; the work must not block. */
  public ScheduledFuture<?> every(Duration interval, Runnable work) {
    return tick.scheduleWithFixedDelay(
        Recurring.surviving(work), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Passes each matching message to a listener, from the return of this method on; only once, even
   * if it follows the pattern several times.
   *
   * @throws BusUnavailableException where Redis doesn't confirm in time; the subscription is undone
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
    Listeners following =
        subscriptions.compute(
            pattern.text(),
            (text, before) ->
                (before == null ? new Listeners(transport.subscribe(pattern), Map.of()) : before)
                    .with(listener, 1));
    try {
      following.confirmed().get(timing.replyTimeout().toNanos(), TimeUnit.NANOSECONDS);
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
    subscriptions.computeIfPresent(
        pattern.text(),
        (text, before) -> {
          Listeners rest = before.with(listener, -1);
          if (rest.counts().isEmpty()) {
            transport.unsubscribe(pattern);
            return null;
          }
          return rest;
        });
  }

  /** The dispatcher of received messages to the listeners of their subscription. */
  private record Dispatcher(Map<String, Listeners> subscriptions) implements BusTransport.Receiver {
    @Override
    public void onCopy(String subscription, String channel, byte[] body) {
      Listeners present = subscriptions.get(subscription);
      if (present != null) { // it may just have been removed
        for (BusListener listener : present.counts().keySet()) {
          tell(() -> listener.onMessage(channel, body));
        }
      }
    }

    @Override
    public void onGap(Instant since) {
      Gap gap = Gap.reconnect(since);
      subscriptions.values().stream()
          .flatMap(each -> each.counts().keySet().stream())
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

  /** Disconnects. Close its participants first. */
  @Override
  public void close() {
    tick.shutdownNow();
    transport.close();
  }
}
