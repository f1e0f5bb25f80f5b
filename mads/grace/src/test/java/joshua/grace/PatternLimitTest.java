package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Grace's one connection follows at most 50 000 distinct patterns for all her clients. */
final class PatternLimitTest {
  private static final int FULL = 50_000;

  @Test
  void oneMoreIsRefusedAndLeavesNoQueueThatHearsNothing() throws Exception {
    try (RunningGrace grace = RunningGrace.apart()) {
      for (int client = 0; client < FULL / Topics.LIMIT; client++) {
        String topics =
            IntStream.range(client * Topics.LIMIT, (client + 1) * Topics.LIMIT)
                .mapToObj(n -> "'mad.topic.t" + n + "'")
                .collect(Collectors.joining(","));
        var _ =
            grace.beginOnly(
                "grace_subscribe",
                "{'client_id':'client-%d','topics':[%s]}".formatted(client, topics));
      }

      JsonNode refused = grace.subscribe("ann", "mad.topic.t0", "mad.topic.one-more");

      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(refused.path("message").asText())
          .contains("50000 distinct patterns", "Nothing was subscribed");
      assertThat(grace.poll("ann").path("code").asText()).isEqualTo("not_subscribed");
      assertThat(grace.gauge("joshua.grace.clients")).isEqualTo(FULL / Topics.LIMIT);
    }
  }
}
