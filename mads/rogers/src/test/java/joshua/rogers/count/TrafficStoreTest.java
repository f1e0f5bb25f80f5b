package joshua.rogers.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import joshua.state.Database;
import joshua.state.WatchedTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

  @TempDir Path directory;

  private Database open(int migrations) throws Exception {
    return Database.open(
        directory.resolve("rogers.db"),
        TrafficStore.MIGRATIONS.subList(0, migrations),
        InstantSource.fixed(NOW));
  }

  private static List<String> caveats(Database database) {
    return database.read(
        tx -> WatchedTime.caveats(tx, NOW.minusSeconds(900), null, "Rogers", "watching"));
  }

  /** The rate, in tenths, and until when all is counted. */
  private static List<Long> latest(Database database) {
    return database.read(tx ->
        List.of(
            tx.number("select 10 * per_second from watermark"),
            tx.number("select until_at from watched")));
  }

  @Test
  void aDatabaseOfBeforeGoesOnWithItsSpans() throws Exception {
    try (Database before = open(1)) {
      before.write(tx ->
          tx.update(
              "insert into watermark values (1, ?, ?, 0.8)",
              NOW.minusSeconds(600),
              NOW.minusSeconds(60)));
      before.write(tx ->
          tx.update(
              "insert into not_seen values (1, ?, ?, 'Rogers was stopped')",
              NOW.minusSeconds(300),
              NOW.minusSeconds(200)));
    }
    try (Database after = open(3)) {
      String unknown = "Rogers knows nothing of before 2026-11-29T09:50:00.000Z.";
      assertThat(caveats(after))
          .containsExactly(
              unknown,
              "Rogers wasn't watching from 2026-11-29T09:55:00.000Z to 2026-11-29T09:56:40.000Z"
                  + " (Rogers was stopped).");
      after.write(tx -> {
        WatchedTime.start(tx, NOW, "Rogers wasn't running");
        TrafficStore.add(tx, List.of(), NOW.plusSeconds(1), 2.5);
        return true;
      });
      assertThat(caveats(after))
          .containsExactly(
              unknown,
              "Rogers wasn't watching 2 times in that time, the last from 2026-11-29T09:59:00.000Z"
                  + " to 2026-11-29T10:00:00.000Z (Rogers wasn't running).");
      assertThat(latest(after)).containsExactly(25L, NOW.plusSeconds(1).toEpochMilli());
    }
  }
}
