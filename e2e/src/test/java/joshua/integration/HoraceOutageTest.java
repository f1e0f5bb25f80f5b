package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Shared memory while Redis is away. */
class HoraceOutageTest {
  @Test
  void whatIsWrittenMeanwhileIsToldInOrderAfterwards() throws Exception {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group = TestGroup.of(redis, "horace")) {
      redis.kill();
      Await.until("it has noticed", () -> write(group, "x").equals("later"));
      for (int i = 0; i < 5; i++) {
        assertThat(write(group, "y")).isEqualTo("later");
      }
      long last = group.callHorace("project_changes").path("last").asLong();
      redis.restart();
      try (RawRedis follower = redis.connect()) {
        follower.call("SUBSCRIBE", "mad.topic.horace.default");
        Await.until("it tells again", () -> write(group, "z").equals("now"));
        List<Long> told = new ArrayList<>();
        while (told.isEmpty() || told.getLast() <= last) {
          JsonNode event = GraceCalls.heard(follower).path("payload");
          told.add(event.path("to").asLong(event.path("change").asLong()));
        }
        assertThat(told).isSorted();
      }
    }
  }

  /** Writes, and returns when others are told. */
  private static String write(TestGroup group, String text) {
    return GraceCalls.succeeded(group.callHorace("document_edit", "path", "a.txt", "append", text))
        .path("told")
        .asText();
  }
}
