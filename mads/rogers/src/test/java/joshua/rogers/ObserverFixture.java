package joshua.rogers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTap;
import joshua.kernel.TimedWait;
import joshua.rogers.tap.MessageObserver;
import joshua.rogers.tool.MetricsCollector;
import joshua.state.Database;
import joshua.testing.RealRedis;
import joshua.testing.TempDirectory;
import org.awaitility.Awaitility;

/** A Redis, a database and the observers of the traffic there, for a test; closes them all. */
public final class ObserverFixture implements AutoCloseable {
  public static final int ENVELOPE_LIMIT = 64 * 1024;
  public static final MetricsCollector.Limits LIMITS =
      new MetricsCollector.Limits(10_000, ENVELOPE_LIMIT, Duration.ofDays(400));

  static {
    // What arrives at all arrives soon on an idle machine; this is for a busy one.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
  }

  private final RealRedis redis = RealRedis.start();
  private final TempDirectory directory;
  private final List<MetricsCollector> open = new ArrayList<>();
  final MeterRegistry meters = new SimpleMeterRegistry();
  private final Database database;

  private ObserverFixture() throws Exception {
    directory = TempDirectory.create("rogers");
    database =
        Database.open(directory.path().resolve("rogers_state.db"), Rogers.migrations(), meters);
  }

  public static ObserverFixture start() throws Exception {
    return new ObserverFixture();
  }

  public RealRedis redis() {
    return redis;
  }

  Database database() {
    return database;
  }

  RedisAddress address() throws Exception {
    return RedisAddress.of(
        redis.url(), Optional.of(redis.password()), Optional.empty(), Duration.ofSeconds(10));
  }

  RedisTap tap(InstantSource time) throws Exception {
    return new RedisTap(Rogers.NAME, address(), ENVELOPE_LIMIT, TimedWait.system(), time);
  }

  /** A counter that counts from now on. */
  public MetricsCollector collector(List<MessageObserver> observers) throws Exception {
    return collector(observers, LIMITS, InstantSource.system());
  }

  public MetricsCollector collector(
      List<MessageObserver> observers, MetricsCollector.Limits limits, InstantSource time)
      throws Exception {
    MetricsCollector collector =
        new MetricsCollector(database, tap(time), limits, time, new SimpleMeterRegistry());
    open.add(collector);
    collector.start(observers);
    return collector;
  }

  /** The result of a query, each row's columns joined by spaces. */
  public List<String> rows(String sql) throws Exception {
    return database.read(connection -> {
      List<String> rows = new ArrayList<>();
      try (PreparedStatement query = connection.prepareStatement(sql);
          ResultSet result = query.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(String.valueOf(result.getString(i)));
          }
          rows.add(String.join(" ", row));
        }
      }
      return rows;
    });
  }

  @Override
  public void close() {
    open.forEach(MetricsCollector::close);
    database.close();
    redis.close();
    directory.close();
  }
}
