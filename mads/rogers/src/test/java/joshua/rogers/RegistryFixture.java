package joshua.rogers;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.conversation.redis.RedisTap;
import joshua.kernel.ClockSources;
import joshua.kernel.TimedWait;
import joshua.rogers.alert.AlertMonitor;
import joshua.rogers.alert.WatchStore;
import joshua.rogers.presence.ConnectionManager;
import joshua.rogers.presence.ConnectionStore;
import joshua.rogers.presence.ParticipantRow;
import joshua.rogers.presence.PresenceThresholds;
import joshua.rogers.presence.StateChange;
import joshua.rogers.store.RetentionLimits;
import joshua.rogers.tap.DeadMessage;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tap.ObservedMessage;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.tool.MetricsCollector;
import joshua.state.Database;
import joshua.testing.FaultProxy;
import joshua.testing.ManualTime;
import joshua.testing.NetworkFault;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.TempDirectory;

/**
 * A real Redis, a tap on it through a network that can fail, a real database, and Rogers' registry
 * on both, by a clock that a test advances.
 */
public final class RegistryFixture implements AutoCloseable {
  public static final Instant BEGIN = Instant.parse("2026-11-18T11:00:00Z");

  /** The sender of events here, by which they can be distinguished from what a test publishes. */
  private static final String TELLER = "teller";

  private static final long ENVELOPE_LIMIT = 1 << 20;
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final Duration ATTEMPT_WITHIN = Duration.ofSeconds(10);

  public final ManualTime time = new ManualTime(BEGIN);
  public final RealRedis redis = RealRedis.start();
  public final RawRedis raw = redis.raw();
  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  public final List<StateChange> told = new CopyOnWriteArrayList<>();
  private final TempDirectory directory = TempDirectory.create("rogers-outlook");
  private final FaultProxy network = FaultProxy.before(redis.port());
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  public final Set<String> knownPatterns = ConcurrentHashMap.newKeySet();
  private final Database database;
  private final ConversationBus bus;
  private final AlertMonitor alertMonitor;
  private final MetricsCollector traffic;
  private ConnectionManager registry;
  private long published;

  public RegistryFixture() throws Exception {
    database =
        Database.open(
            directory.path().resolve("rogers_state.db"),
            Rogers.migrations(),
            new SimpleMeterRegistry());
    registry = rogers();
    Participant self = new Participant(TELLER, "r1", "test", BEGIN);
    bus =
        new ConversationBus(
                self,
                new RedisLink("rogers", address(redis.url()), TimedWait.system(), time),
                time,
                ENVELOPE_LIMIT,
                new SimpleMeterRegistry(),
                ConversationBus::noDetail)
            .openUnannounced();
    alertMonitor =
        new AlertMonitor(
            new WatchStore(database, RetentionLimits.DEFAULT),
            bus,
            new AlertMonitor.Watched(() -> traffic().senders(), () -> traffic().channels()),
            () -> knownPatterns,
            new ClockSources(time, nanos::get, TimedWait.system()),
            new SimpleMeterRegistry());
    RedisTap tap =
        new RedisTap("rogers", address(network.url()), ENVELOPE_LIMIT, TimedWait.system(), time);
    List<MessageObserver> observers = new ArrayList<>(alertMonitor.observers());
    observers.add(new Through());
    traffic =
        new MetricsCollector(
            database, tap, ObserverFixture.LIMITS, time, new SimpleMeterRegistry());
    traffic.start(observers);
    registry.restore();
  }

  private RedisAddress address(String url) throws BusUnavailableException {
    return RedisAddress.of(url, Optional.of(redis.password()), Optional.empty(), ATTEMPT_WITHIN);
  }

  private ConnectionManager rogers() {
    return new ConnectionManager(
        PresenceThresholds.CONTRACT,
        new ConnectionStore(database, RetentionLimits.DEFAULT),
        () -> traffic().senders(),
        told::add,
        time,
        TimedWait.system(),
        meters);
  }

  private MetricsCollector traffic() {
    return traffic;
  }

  Database database() {
    return database;
  }

  public ConversationBus bus() {
    return bus;
  }

  public AlertMonitor watching() {
    return alertMonitor;
  }

  public ConnectionManager registry() {
    return registry;
  }

  /** Once everything published has arrived, advances the clock, with a check at each step. */
  public void advance(Duration duration) {
    awaitPassed();
    Duration left = duration;
    while (left.compareTo(STEP) > 0) {
      sleep(STEP);
      registry.look();
      left = left.minus(STEP);
    }
    sleep(left);
  }

  /** Advances the clock without a check, as if the machine had been asleep. */
  public void sleep(Duration duration) {
    time.advance(duration);
    nanos.addAndGet(duration.toNanos());
  }

  /** Another Rogers on the same database, as after a crash: without any leave. */
  public void restart() throws Exception {
    registry.keep();
    registry = rogers();
    registry.restore();
  }

  public void publish(RawEnvelope message) {
    raw.publish(message.text("channel"), message.json());
    published++;
  }

  public void publish(String channel, String body) {
    raw.publish(channel, body);
    published++;
  }

  /** Publishes what no Rogers receives, since the network is cut. */
  void publishUnheard(RawEnvelope message) {
    raw.publish(message.text("channel"), message.json());
  }

  /** Waits until everything has arrived, and lets the registry take it in. */
  public void look() {
    awaitPassed();
    registry.look();
  }

  /** The reason why the traffic can't be seen. */
  public Optional<String> problem() {
    return traffic.problem();
  }

  /** How many messages have arrived. */
  public long seen() {
    return passed.get();
  }

  /** Waits until everything has arrived, and lets the monitor check it. */
  public void watch() throws InterruptedException {
    awaitPassed();
    alertMonitor.look();
  }

  private void awaitPassed() {
    if (passed.get() < published) {
      await().pollInterval(Duration.ofMillis(1)).until(() -> passed.get() >= published);
    }
  }

  /** The rows of a table, as one text each. */
  public List<String> rows(String sql) throws Exception {
    return database.read(connection -> {
      List<String> rows = new ArrayList<>();
      try (PreparedStatement select = connection.prepareStatement(sql);
          ResultSet row = select.executeQuery()) {
        while (row.next()) {
          StringJoiner cells = new StringJoiner(" ");
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            cells.add(row.getString(i));
          }
          rows.add(cells.toString());
        }
      }
      return rows;
    });
  }

  /** Changes the database without the knowledge of Rogers. */
  public void change(String sql) throws Exception {
    database.write(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        return statement.execute();
      }
    });
  }

  /** Cuts the tap off, and returns when that is known. */
  public void blind() {
    long before = gaps.get();
    network.inject(new NetworkFault.Cut());
    await().until(() -> gaps.get() == before + 1);
  }

  /** Lets the tap come back, and returns when it has. */
  public void see() {
    long before = gaps.get();
    network.heal();
    await().atMost(Duration.ofSeconds(30)).until(() -> gaps.get() == before + 1);
  }

  public ParticipantRow row(String name) {
    return registry.connections().stream()
        .filter(row -> row.madId().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " isn't listed"));
  }

  @Override
  public void close() {
    traffic.close();
    bus.close();
    database.close();
    network.close();
    raw.close();
    redis.close();
    directory.close();
  }

  /** Passes on to whichever registry there is, and counts. */
  private final class Through implements MessageObserver {
    @Override
    public void seen(ObservedMessage observedMessage) {
      registry.seen(observedMessage);
      if (!observedMessage.sender().name().equals(TELLER)) {
        passed.incrementAndGet();
      }
    }

    @Override
    public void malformed(DeadMessage letter) {
      passed.incrementAndGet();
    }

    @Override
    public void unseen(UnwatchedSpan span) {
      registry.unseen(span);
      gaps.incrementAndGet();
    }
  }
}
