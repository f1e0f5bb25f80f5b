package joshua.tasks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.InstantSource;
import joshua.kernel.Json;
import joshua.tasks.TaskFixture;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence gets the space that the answer leaves. */
final class EvidenceTruncatorTest {
  @TempDir Path directory;

  private static ObjectNode lookedUp(String query, int rows) {
    ObjectNode looked = Json.object().put("query", query);
    looked.putObject("arguments");
    ArrayNode list = looked.putArray("rows");
    for (int i = 0; i < rows; i++) {
      list.addObject().put("row", i).put("what", "ä".repeat(30));
    }
    return looked;
  }

  @Test
  void whatWasHeardDoesNotFailForItsEvidence() throws Exception {
    int limit = 1_000;
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                InstantSource.system(),
                TaskFixture.resultBytes(limit),
                (task, tokenSink) -> {
                  tokenSink.token(task.prompt());
                  ObjectNode result = TaskFixture.said(task.prompt());
                  result
                      .putArray("evidence")
                      .add(lookedUp("first", 3))
                      .add(lookedUp("second", 1_000))
                      .add(lookedUp("third", 1));
                  result.putArray("remarks").add("One before.");
                  return result;
                })) {
      ObjectNode result = fixture.awaitEnd(fixture.converse("heard")).result().orElseThrow();
      assertThat(result.path("text").asText()).isEqualTo("heard");
      assertThat(result.path("evidence")).hasSize(2);
      assertThat(result.path("evidence").path(0)).isEqualTo(lookedUp("first", 3));
      int kept = result.path("evidence").path(1).path("rows").size();
      assertThat(kept).isPositive();
      assertThat(result.path("evidence").path(1)).isEqualTo(lookedUp("second", kept));
      assertThat(result.path("remarks")).hasSize(2);
      assertThat(result.path("remarks").path(1).asText())
          .startsWith("Of 1004 rows that were looked up the first %d are kept".formatted(kept + 3));
      assertThat(Json.bytes(result).length).isBetween(limit - 100, limit);

      String most = "x".repeat(limit - 100);
      ObjectNode full = fixture.awaitEnd(fixture.converse(most)).result().orElseThrow();
      assertThat(full.path("text").asText()).isEqualTo(most);
      assertThat(full.path("evidence")).isEmpty();
    }
  }
}
