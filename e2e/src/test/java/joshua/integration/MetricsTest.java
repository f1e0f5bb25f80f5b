package joshua.integration;

import static joshua.integration.GraceCalls.succeeded;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** What Prometheus reads, of a relay of its own. */
class MetricsTest {
  @Test
  void callsAndMessagesAreCountedAndSoIsGarbage() throws Exception {
    try (RedisServer redis = SharedRedis.another();
        RawRedis raw = RawRedis.connect(redis.port(), redis.password());
        TestGroup group = new TestGroup(redis)) {
      GraceCalls grace = new GraceCalls(group);
      succeeded(grace.subscribe("ann", "mad.topic.followed"));
      raw.publish("mad.topic.followed", "garbage");
      raw.publish("mad.topic.followed", "{\"sender_id\":\"bob\"}");
      raw.publish("mad.topic.unfollowed", "[]");
      raw.publish("mad.topic.unfollowed", "{\"sender_id\":\"bob\"}"); // read no further
      succeeded(grace.send("bob", "mad.topic.followed", "{\"text\":\"hi\"}"));
      assertThat(grace.send("bob", "nowhere", "{}").path("status").asText()).isEqualTo("error");
      Await.until("it has come", () -> page(group).contains("joshua_relay_waiting_messages 1.0\n"));

      assertThat(page(group))
          .contains("joshua_relay_received_total{kind=\"malformed\"} 3.0\n")
          .contains("joshua_relay_clients 1.0\n")
          .contains("joshua_ready{part=\"bus\"} 1.0\n")
          .contains(calls("grace_subscribe", "ok", 1))
          .contains(calls("grace_send_message", "ok", 1))
          .contains(calls("grace_send_message", "invalid_input", 1))
          .contains("joshua_tool_call_seconds_count{tool=\"grace_subscribe\"} 1\n")
          .contains("joshua_sockets{protocol=\"frames\"} ")
          .contains("jvm_memory_used_bytes{");
      redis.kill();
      Await.until(
          "it tells of the outage", () -> page(group).contains("joshua_ready{part=\"bus\"} 0.0\n"));
    }
  }

  private static String calls(String tool, String outcome, int n) {
    return "joshua_tool_calls_total{outcome=\"%s\",tool=\"%s\"} %d.0\n".formatted(outcome, tool, n);
  }

  private static String page(TestGroup group) {
    HttpResponse<String> page = group.page("/metrics");
    assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
    return page.body();
  }
}
