package joshua.integration;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import joshua.testing.Await;
import joshua.testing.ModelServer;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** A group that stops answers those who wait, and says what to do then. */
class StopTest {
  private static final String STOPS =
      "The relay stops; in a few seconds subscribe again with this cursor.";

  private static JsonNode answer(McpClient client, String tool, Object... members)
      throws Exception {
    return client.result(tool, members).path("structuredContent");
  }

  private static Future<JsonNode> answering(McpClient client, String tool, Object... members) {
    FutureTask<JsonNode> answering = new FutureTask<>(() -> answer(client, tool, members));
    Thread.startVirtualThread(answering);
    return answering;
  }

  @Test
  void whoWaitsIsAnswered() throws Exception {
    try (RedisServer redis = SharedRedis.another();
        ModelServer model = new ModelServer()) {
      model.then(ModelServer.Exchange::awaitDisconnect);
      TestGroup group = new TestGroup(redis, TestGroup.models(model, "slow"));
      FrameClient socket = new FrameClient(group.gracePort()); // outlives the group
      Future<JsonNode> byHttp;
      Future<JsonNode> bell;
      Future<JsonNode> task;
      try (group) {
        McpClient grace = new McpClient(group.gracePort());
        McpClient fiedler = new McpClient(group.port("fiedler"));
        answer(grace, "grace_subscribe", "client_id", "ann", "topics", "mad.direct.ann");
        answer(grace, "grace_subscribe", "client_id", "bob", "topics", "mad.direct.bob");
        byHttp = answering(grace, "grace_poll_messages", "client_id", "ann", "wait_ms", 600_000);
        socket.begin("grace_poll_messages", input("client_id", "bob", "wait_ms", 600_000));
        Object[] wait = {"client_id", "cid", "holder", UUID.randomUUID(), "wait_ms", 60_000};
        bell = answering(grace, "grace_await", wait);
        Object[] prompt = {"prompt", "write a tale", "requester_id", "ann", "wait", true};
        task = answering(fiedler, "fiedler_converse", prompt);
        GraceCalls calls = new GraceCalls(group);
        Await.until(
            "somebody waits for cid",
            () -> calls.send("cid", "mad.direct.cid", Map.of()).has("wakes"));
        Await.until("the model is asked", () -> !model.seen().isEmpty());
        for (String name : List.of("ann", "bob")) {
          calls.awaitPoll(name);
        }
      }
      JsonNode poll = byHttp.get();
      assertThat(poll.path("messages")).isEmpty();
      assertThat(poll.path("cursor").asText()).isNotEmpty();
      assertThat(poll.path("note").asText()).isEqualTo(STOPS);
      assertThat(socket.next().path("note").asText()).isEqualTo(STOPS);
      assertThat(bell.get().path("due").isBoolean()).isTrue();
      assertThat(task.get().path("status").asText()).isEqualTo("pending");
      socket.close();
    }
  }
}
