package joshua.rogers;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTap;
import joshua.kernel.TimedWait;
import joshua.rogers.loss.LossReconciler;
import joshua.rogers.tool.MetricsCollector;
import joshua.state.Database;
import joshua.testing.RealRedis;

/** Rogers' loss accounting on a real Redis and a real database, and what it wrote. */
public final class LossAccountFixture implements AutoCloseable {
  public static final Duration WITHIN = Duration.ofSeconds(5);

  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  public final List<ObjectNode> events = new CopyOnWriteArrayList<>();
  public final LossReconciler reconciler;
  private final AtomicLong seen = new AtomicLong();
  private final Database database;
  private final MetricsCollector collector;

  public LossAccountFixture(RealRedis redis, Path directory) throws Exception {
    InstantSource time = InstantSource.system();
    database = Database.open(directory.resolve("rogers.db"), Rogers.migrations(), meters);
    reconciler =
        new LossReconciler(
                database,
                time,
                Duration.ofDays(400),
                meters,
                (subject, detail) -> events.add(detail.put("subject", subject)))
            .start();
    RedisTap tap =
        new RedisTap(
            "rogers", address(redis), ObserverFixture.ENVELOPE_LIMIT, TimedWait.system(), time);
    collector =
        new MetricsCollector(
            database, tap, ObserverFixture.LIMITS, time, new SimpleMeterRegistry());
    collector.start(List.of(reconciler, observedMessage -> seen.incrementAndGet()));
  }

  /** How many messages have arrived. */
  public long seen() {
    return seen.get();
  }

  public Database database() {
    return database;
  }

  static RedisAddress address(RealRedis redis) throws Exception {
    return RedisAddress.of(
        redis.url(), Optional.of(redis.password()), Optional.empty(), Duration.ofSeconds(10));
  }

  /** The rows of a statement whose parameters are all null, each as {@code a|b|c}. */
  public List<String> rows(String sql) throws Exception {
    return database.read(connection -> {
      List<String> rows = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(sql);
          ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
            cells.add(String.valueOf(found.getString(i)));
          }
          rows.add(String.join("|", cells));
        }
      }
      return rows;
    });
  }

  public void awaitRows(String sql, int atLeast) {
    await().atMost(Duration.ofSeconds(20)).until(() -> rows(sql).size() >= atLeast);
  }

  public long number(String sql) throws Exception {
    return Long.parseLong(rows(sql).getFirst());
  }

  @Override
  public void close() {
    collector.close();
    reconciler.close();
    database.close();
  }
}
