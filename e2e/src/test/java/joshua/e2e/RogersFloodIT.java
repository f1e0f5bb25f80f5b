package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import joshua.testing.MessageFlood;
import joshua.testing.RawEnvelope;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a Rogers killed in a flood misses only what lies in the spans that it marks. */
final class RogersFloodIT {
  private static final int SLICE = 500;
  private static final int KILLS = 3;

  /** Between two slices: fewer senders than the names of an hour. */
  private static final long BREATH_NANOS = Duration.ofMillis(10).toNanos();

  private final TestEnvironment environment = new TestEnvironment();
  private final Random random = new Random();

  /** Messages of a sender of their own, and between which moments they were published. */
  private record Slice(String sender, Instant from, Instant until) {}

  private record Span(Instant since, Instant until) {
    boolean touches(Slice slice) {
      return !since.isAfter(slice.until()) && !until.isBefore(slice.from());
    }
  }

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void whatAKilledRogersMissesLiesInTheSpansThatHeMarks() throws Exception {
    RealRedis redis = environment.add(RealRedis.start());
    List<String> settings = new ArrayList<>(SingleMadProcess.on(environment, redis, redis.url()));
    // Three quarters of an hour off the full one: hours are UTC all the same.
    settings.add("TZ=Pacific/Chatham");
    List<Slice> slices = new CopyOnWriteArrayList<>();
    SingleMadProcess rogers = SingleMadProcess.start(environment, "rogers", settings);
    Thread flood = Thread.ofPlatform().start(() -> flood(redis, slices));
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        awaitMore(slices, 20 + random.nextInt(20));
        rogers.run().kill();
        awaitMore(slices, 10);
        rogers = SingleMadProcess.start(environment, "rogers", settings);
      }
      awaitMore(slices, 20);
    } finally {
      flood.interrupt();
      flood.join();
    }
    rogers.run().terminate();

    List<Span> spans = spans();
    Map<String, Long> counted = counted();
    int whole = 0;
    int cut = 0;
    for (Slice slice : slices) {
      long messages = counted.getOrDefault(slice.sender(), 0L);
      if (spans.stream().noneMatch(span -> span.touches(slice))) {
        assertThat(messages).as("%s outside %s", slice, spans).isEqualTo(SLICE);
        whole++;
      } else {
        assertThat(messages).as("%s", slice).isLessThanOrEqualTo(SLICE);
        cut += messages < SLICE ? 1 : 0;
      }
    }
    System.out.printf(
        "RogersFloodIT: %d slices of %d whole outside %d spans, %d short within%n",
        whole, SLICE, spans.size(), cut);
    assertThat(whole).isGreaterThan(20);
    assertThat(cut).isGreaterThan(KILLS);
    assertThat(rows("select distinct hour_timestamp from hourly_metrics"))
        .allSatisfy(row -> assertThat(row.getFirst()).endsWith(":00:00.000Z"))
        .allSatisfy(row ->
            assertThat(Instant.parse(row.getFirst()))
                .isBetween(Instant.now().minus(Duration.ofHours(2)), Instant.now()));
  }

  private static void awaitMore(List<Slice> slices, int more) {
    int goal = slices.size() + more;
    await().atMost(Duration.ofSeconds(120)).until(() -> slices.size() >= goal);
  }

  private static void flood(RealRedis redis, List<Slice> slices) {
    for (int number = 0; !Thread.currentThread().isInterrupted(); number++) {
      String sender = "slice-" + number;
      List<MessageFlood.Publication> round = new ArrayList<>();
      for (int i = 0; i < SLICE; i++) {
        round.add(
            new MessageFlood.Publication(
                "mad.topic.flood", sender, RawEnvelope.on("mad.topic.flood").from(sender).json()));
      }
      try (MessageFlood messageFlood = new MessageFlood(redis.port(), redis.password(), round)) {
        Instant from = Instant.now();
        messageFlood.publish(SLICE, sent -> true);
        slices.add(new Slice(sender, from, Instant.now()));
        LockSupport.parkNanos(BREATH_NANOS);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private List<Span> spans() throws Exception {
    return rows("select since, until from not_seen").stream()
        .map(row -> new Span(Instant.parse(row.get(0)), Instant.parse(row.get(1))))
        .toList();
  }

  private Map<String, Long> counted() throws Exception {
    Map<String, Long> counted = new HashMap<>();
    for (List<String> row :
        rows("select sender_id, sum(message_count) from hourly_metrics group by 1")) {
      counted.put(row.get(0), Long.parseLong(row.get(1)));
    }
    return counted;
  }

  private List<List<String>> rows(String sql) throws Exception {
    String file = environment.data().resolve("rogers/rogers_state.db").toString();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<String>> rows = new ArrayList<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }
}
