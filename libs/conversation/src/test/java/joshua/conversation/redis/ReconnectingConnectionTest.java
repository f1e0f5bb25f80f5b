package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import joshua.conversation.BusUnavailableException;
import joshua.kernel.TimedWait;
import joshua.testing.FaultProxy;
import joshua.testing.ManualTime;
import joshua.testing.NetworkFault;
import joshua.testing.RealRedis;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A connection to a real Redis through an adverse network; its pauses are recorded, not waited. */
class ReconnectingConnectionTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(20);

  /** Pings seldom, so that only a closed socket ends a connection. */
  private static final ConnectionTimeouts CALM =
      new ConnectionTimeouts(LONG, LONG, LONG, LONG, LONG);

  /** Pings often, and is in no hurry for the answer. */
  private static final ConnectionTimeouts CURIOUS =
      new ConnectionTimeouts(SHORT, LONG, LONG, LONG, LONG);

  /** Pings so often that silence is noticed at once. */
  private static final ConnectionTimeouts ALERT =
      new ConnectionTimeouts(SHORT, SHORT, LONG, LONG, LONG);

  private static RealRedis redis;
  private static ClientResources resources;

  private final FaultProxy network = FaultProxy.before(redis.port());
  private final ManualTime time = new ManualTime(NOON);
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final RecordingOwner owner = new RecordingOwner();

  /** No jitter: each pause is the longest that its attempt may have. */
  private final ReconnectBackoff backoff =
      new ReconnectBackoff(
          new RandomGenerator() {
            @Override
            public long nextLong() {
              return Long.MAX_VALUE;
            }

            @Override
            public long nextLong(long bound) {
              return bound - 1;
            }
          });

  private RedisClient client;
  private ReconnectingConnection<StatefulRedisConnection<String, byte[]>> connection;

  private static final class RecordingOwner
      implements ReconnectingConnection.Owner<StatefulRedisConnection<String, byte[]>> {
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<Instant> losses = new CopyOnWriteArrayList<>();

    /** How often the connection looked whether anything arrives: at least once for a ping. */
    final AtomicLong asked = new AtomicLong();

    volatile boolean alwaysHears;
    volatile int failing;

    @Override
    public void connected(StatefulRedisConnection<String, byte[]> fresh) {
      events.add("connected");
      if (failing > 0) {
        failing--;
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public void lost(Instant lastKnownGood) {
      losses.add(lastKnownGood);
      events.add("lost");
    }

    @Override
    public long heard() {
      long times = asked.incrementAndGet();
      return alwaysHears ? times : 0;
    }
  }

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
    resources = RedisClients.resources().build();
  }

  @AfterAll
  static void stopRedis() {
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1_000);
    redis.close();
  }

  @AfterEach
  void close() {
    if (connection != null) {
      connection.close();
    }
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    network.close();
  }

  private static ConditionFactory soon() {
    return await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  private ReconnectingConnection<StatefulRedisConnection<String, byte[]>> connection(
      ConnectionTimeouts timing, TimedWait timedWait) throws Exception {
    RedisAddress address =
        RedisAddress.of(network.url(), Optional.of(redis.password()), Optional.empty(), LONG);
    client = RedisClients.client(resources, address, timing, ProtocolVersion.RESP3);
    RedisURI uri = address.uriFor("test", timing.openWithin());
    Supplier<CompletionStage<StatefulRedisConnection<String, byte[]>>> connector =
        () -> client.connectAsync(RedisClients.CODEC, uri);
    connection =
        new ReconnectingConnection<>(
            "testing", address, connector, owner, timing, backoff, timedWait, time);
    return connection;
  }

  private void open(ConnectionTimeouts timing) throws Exception {
    connection(timing, this::pause).open();
  }

  private void pause(Duration duration) throws InterruptedException {
    pauses.add(duration);
    TimedWait.system().pause(Duration.ofMillis(1));
  }

  private String ping() throws Exception {
    return connection
        .connection()
        .orElseThrow()
        .async()
        .ping()
        .get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void opensAndIsThere() throws Exception {
    open(CALM);
    assertThat(ping()).isEqualTo("PONG");
    assertThat(owner.events).containsExactly("connected");
    assertThat(pauses).isEmpty();
  }

  @Test
  void whereNothingCanBeReachedItDoesNotOpenAndNothingGoesOn() throws Exception {
    network.inject(new NetworkFault.Cut());
    connection(CALM, this::pause);
    assertThatThrownBy(connection::open)
        .isInstanceOf(BusUnavailableException.class)
        .hasMessageContaining("Redis at 127.0.0.1:%d can't be reached".formatted(network.port()));
    int attempts = network.accepted();
    network.heal();
    connection.close();
    assertThat(connection.connection()).isEmpty();
    assertThat(network.accepted()).isEqualTo(attempts);
    assertThat(owner.events).isEmpty();
  }

  @Test
  void aCutConnectionIsToldOnceAndComesBack() throws Exception {
    open(CALM);
    time.advance(Duration.ofMinutes(1));
    network.inject(new NetworkFault.Cut());
    soon().until(() -> owner.events.contains("lost"));
    assertThat(connection.connection()).isEmpty();
    // It last worked, as far as is known, when it was opened.
    assertThat(owner.losses).containsExactly(NOON);
    network.heal();
    soon().until(() -> connection.connection().isPresent());
    assertThat(ping()).isEqualTo("PONG");
    assertThat(owner.events).containsExactly("connected", "lost", "connected");
  }

  @Test
  void pausesGrowFromOneAttemptToTheNextUpToTheMost() throws Exception {
    open(CALM);
    network.inject(new NetworkFault.Cut());
    soon().until(() -> pauses.size() >= 10);
    assertThat(pauses.subList(0, 10).stream().map(Duration::toMillis))
        .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void aConnectionThatFailsBeforeAPingIsAnsweredDoesNotShortenThePauses() throws Exception {
    open(CALM);
    for (int times = 0; times < 3; times++) {
      int before = network.accepted();
      network.inject(new NetworkFault.HalfClose());
      network.heal();
      soon().until(() -> network.accepted() > before && connection.connection().isPresent());
    }
    assertThat(pauses.stream().map(Duration::toMillis)).containsExactly(100L, 200L, 400L);
  }

  @Test
  void anAnsweredPingIsTheLastKnownGoodMomentAndMakesPausesShortAgain() throws Exception {
    open(CURIOUS);
    for (int times = 1; times <= 2; times++) {
      time.advance(Duration.ofMinutes(1));
      long asked = owner.asked.get();
      // The ping before the last began after the clock had moved, and has been answered.
      soon().until(() -> owner.asked.get() >= asked + 3);
      int losses = times;
      network.inject(new NetworkFault.Cut());
      soon().until(() -> owner.losses.size() == losses);
      assertThat(owner.losses.getLast()).isEqualTo(NOON.plus(Duration.ofMinutes(times)));
      network.heal();
      soon().until(() -> connection.connection().isPresent());
    }
    assertThat(pauses.stream().filter(ReconnectBackoff.FIRST::equals)).hasSize(2);
  }

  @Test
  void aConnectionThatSaysNothingAnyMoreIsClosedAndReplaced() throws Exception {
    open(ALERT);
    network.inject(new NetworkFault.Stall());
    soon().until(() -> owner.events.contains("lost"));
    assertThat(connection.connection()).isEmpty();
    network.heal();
    soon().until(() -> connection.connection().isPresent());
  }

  @Test
  void aLatePongDoesNotCountWhereMuchElseArrives() throws Exception {
    owner.alwaysHears = true;
    open(ALERT);
    network.inject(new NetworkFault.Stall());
    long before = owner.asked.get();
    // Several times as long as a pong may take.
    soon().until(() -> owner.asked.get() > before + 6);
    assertThat(owner.events).containsExactly("connected");
    owner.alwaysHears = false;
    soon().until(() -> owner.events.contains("lost"));
    network.heal();
  }

  @Test
  void aConnectionOnWhichTheOwnerFailsIsReplaced() throws Exception {
    owner.failing = 1;
    open(CALM);
    soon().until(() -> owner.events.size() >= 3 && connection.connection().isPresent());
    assertThat(owner.events).containsExactly("connected", "lost", "connected");
    assertThat(ping()).isEqualTo("PONG");
  }

  @Test
  void aCloseEndsItAlsoAmidAnAttemptAndNothingComesAfter() throws Exception {
    open(CALM);
    network.inject(new NetworkFault.Stall());
    connection
        .connection()
        .orElseThrow()
        .closeAsync()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
    int before = network.accepted();
    soon().until(() -> network.accepted() > before || !pauses.isEmpty());
    long start = System.nanoTime();
    connection.close();
    connection.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    assertThat(connection.connection()).isEmpty();
    network.heal();
    assertThat(owner.events).containsExactly("connected", "lost");
  }

  @Test
  void aPauseIsInterruptedByAClose() throws Exception {
    connection(
            CALM,
            duration -> {
              pauses.add(duration);
              TimedWait.system().pause(LONG);
            })
        .open();
    network.inject(new NetworkFault.Cut());
    soon().until(() -> !pauses.isEmpty());
    long start = System.nanoTime();
    connection.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    assertThat(pauses).hasSize(1);
  }
}
