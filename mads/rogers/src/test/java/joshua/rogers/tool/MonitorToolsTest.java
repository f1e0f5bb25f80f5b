package joshua.rogers.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.rogers.count.TrafficStore;
import joshua.state.Database;
import joshua.state.WatchedTime;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorToolsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T03:34:00Z");

  @Test
  void whatIsLeftOutIsCountedBeyondTheLimitToo(@TempDir Path directory) throws Exception {
    InstantSource time = InstantSource.fixed(NOW);
    try (Database database =
        Database.open(directory.resolve("rogers.db"), TrafficStore.MIGRATIONS, time)) {
      database.write(tx -> {
        WatchedTime.start(tx, NOW, "Rogers wasn't running");
        return tx.update(
            """
            with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
            insert into traffic
            select ?, 'sender-' || i, 'mad.topic.x', 'mad.topic', 1, 100 from n
            """,
            NOW.toEpochMilli() / 3_600_000 * 3_600_000);
      });
      ToolRegistry tools =
          new ToolRegistry(MonitorTools.of(database, time), time, new PrometheusRegistry());
      Caller caller = Caller.local(new Connection("test", () -> false));
      ToolResult result =
          Await.value(
              "an answer, although a busy machine may take too long for the first",
              () ->
                  tools.begin("rogers_get_stats", Json.object(), caller, Tool.Audience.MODEL).get(),
              ToolResult.Success.class::isInstance);
      JsonNode stats = Json.parse(((ToolResult.Success) result).json().utf8());
      assertThat(stats.path("stats").size() + stats.path("left_out").asInt()).isEqualTo(20_000);
      assertThat(stats.path("stats").size()).isBetween(1_000, 10_000);
      assertThat(stats.at("/stats/0").has("number")).isFalse();
    }
  }
}
