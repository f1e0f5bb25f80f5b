package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Tests that all clients together can't follow more topics, or more globs, than the limits. */
final class PatternLimitTest {

  @Test
  void oneTopicMoreIsRefusedAndLeavesNoQueueThatHearsNothing() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 10, 1L << 20, 40, 16))) {
      // Two are kept for each of ten clients; twenty are shared, of which one gets a half.
      assertThat(subscribe(grace, "hog", 12).path("status").asText()).isEqualTo("success");
      JsonNode refused = subscribe(grace, "ann", 8);

      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(refused.path("message").asText())
          .contains("40 (JOSHUA_GRACE_TOPIC_LIMIT), 12 are followed", "Nothing was subscribed");
      assertThat(grace.poll("ann").path("code").asText()).isEqualTo("not_subscribed");
      assertThat(grace.gauge("joshua.grace.clients")).isEqualTo(1);
      assertThat(subscribe(grace, "ann", 7).path("status").asText()).isEqualTo("success");
      assertThat(grace.subscribe("hog", "mad.topic.hog-0").path("status").asText())
          .as("what is followed already")
          .isEqualTo("success");
    }
  }

  private static JsonNode subscribe(RunningGrace grace, String client, int topics)
      throws InterruptedException {
    return grace.subscribe(
        client,
        IntStream.range(0, topics)
            .mapToObj(n -> "mad.topic.%s-%d".formatted(client, n))
            .collect(Collectors.joining("','")));
  }
}
