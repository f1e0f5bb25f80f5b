package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import joshua.kernel.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first conversation, by MCP clients of others, as they are. */
class McpClientsIT {
  private static Stage stage;
  private static Group group;

  @BeforeAll
  static void start() {
    stage = new Stage();
    group = stage.up();
  }

  @AfterAll
  static void end() {
    stage.close();
  }

  @ParameterizedTest
  @EnumSource
  void listsTheToolsSubscribesSendsPollsAndIsPushedTo(GuestKind kind) {
    String name = "guest-" + kind.ordinal();
    try (Guest guest = kind.visit(group)) {
      Guest.is(guest.connect());
      assertThat(Guest.texts(guest.tools()))
          .contains(
              "grace_send_message", "grace_subscribe", "grace_poll_messages", "grace_unsubscribe");

      ObjectNode topics = Json.object().put("client_id", name);
      topics.putArray("topics").add("mad.direct." + name);
      JsonNode subscribed = Guest.is(guest.call("grace_subscribe", topics));
      assertThat(subscribed.path("status").asText()).isEqualTo("success");
      Guest.is(guest.watch("grace://clients/%s/queue".formatted(name)));

      ObjectNode message = Json.object().put("channel", "mad.direct." + name);
      message.putObject("payload").put("text", "grüß dich");
      assertThat(Guest.is(guest.call("grace_send_message", message)).path("queues").asInt())
          .isEqualTo(1);

      ObjectNode poll = Json.object().put("client_id", name).put("wait_ms", 10_000);
      JsonNode polled = Guest.is(guest.call("grace_poll_messages", poll));
      assertThat(polled.at("/messages/0/payload/text").asText()).isEqualTo("grüß dich");
      assertThat(polled.path("messages")).hasSize(1);
      if (kind.stays()) {
        await().atMost(Duration.ofSeconds(20)).until(() -> guest.updates() > 0);
      }
    }
  }
}
