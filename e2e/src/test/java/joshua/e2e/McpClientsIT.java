package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import joshua.kernel.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first conversation, by unmodified third-party MCP clients. */
class McpClientsIT {
  private static final String NO_TASK = "{'task_id':'0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07'}";

  /** A refused call, and its code. */
  private record Refusal(String code, String tool, String arguments) {}

  private static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "forbidden", "grace_send_message", "{'channel':'mad.system.presence','payload':{}}"),
          new Refusal("not_subscribed", "grace_poll_messages", "{'client_id':'a-stranger'}"),
          new Refusal("not_subscribed", "grace_unsubscribe", "{'client_id':'a-stranger'}"),
          new Refusal("unknown_task", "fiedler_get_task_status", NO_TASK),
          new Refusal("unknown_task", "fiedler_cancel_task", NO_TASK),
          new Refusal("unknown_task", "fiedler_get_stream", NO_TASK),
          new Refusal("unknown_task", "rogers_get_task_status", NO_TASK));

  private static TestEnvironment environment;
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() {
    environment = new TestEnvironment();
    groupUnderTest = environment.up("JOSHUA_GRACE_CLIENT_LIMIT=1");
  }

  @AfterAll
  static void end() {
    environment.close();
  }

  @ParameterizedTest
  @EnumSource
  void listsTheToolsSubscribesSendsPollsAndIsPushedTo(McpTestClientKind kind) {
    String name = "guest-" + kind.ordinal();
    try (McpTestClient mcpTestClient = kind.visit(groupUnderTest)) {
      McpTestClient.is(mcpTestClient.connect());
      assertThat(McpTestClient.texts(mcpTestClient.tools()))
          .contains(
              "grace_send_message",
              "grace_request",
              "grace_subscribe",
              "grace_poll_messages",
              "grace_unsubscribe");

      ObjectNode topics = Json.object().put("client_id", name);
      topics.putArray("topics").add("mad.direct." + name);
      JsonNode subscribed = McpTestClient.is(mcpTestClient.call("grace_subscribe", topics));
      assertThat(subscribed.path("status").asText()).isEqualTo("success");
      McpTestClient.is(mcpTestClient.watch("grace://clients/%s/queue".formatted(name)));

      ObjectNode message = Json.object().put("channel", "mad.direct." + name);
      message.putObject("payload").put("text", "grüß dich");
      assertThat(
              McpTestClient.is(mcpTestClient.call("grace_send_message", message))
                  .path("queues")
                  .asInt())
          .isEqualTo(1);

      ObjectNode poll = Json.object().put("client_id", name).put("wait_ms", 10_000);
      JsonNode polled = McpTestClient.is(mcpTestClient.call("grace_poll_messages", poll));
      assertThat(polled.at("/messages/0/payload/text").asText()).isEqualTo("grüß dich");
      assertThat(polled.path("messages")).hasSize(1);
      if (kind.stays()) {
        await().atMost(Duration.ofSeconds(20)).until(() -> mcpTestClient.updates() > 0);
      }
    }
  }

  /** One connection, or process, for each MAD; the Inspector has one for each call. */
  private static List<String> mads(McpTestClientKind kind) {
    return kind.callsTheBridge() ? List.of("grace") : List.of("grace", "fiedler", "rogers");
  }

  private static void assertRefused(McpTestClient.Outcome outcome, String tool, String code) {
    assertThat(outcome)
        .as(tool)
        .isInstanceOfSatisfying(
            McpTestClient.Outcome.Refused.class,
            refused -> {
              assertThat(refused.text()).as(tool).matches("(?s)" + code + ": \\S.*");
              JsonNode error = refused.error();
              if (!error.isMissingNode()) {
                assertThat(error.path("code").asText()).as(tool).isEqualTo(code);
                assertThat(refused.text()).startsWith(code + ": " + error.path("message").asText());
              }
            });
  }

  /** Clients check structured content against a tool's schema once they have listed it. */
  @ParameterizedTest
  @EnumSource
  void readsTheCodeAndTheSentenceOfARefusalOfEveryTool(McpTestClientKind kind) {
    Set<String> refused = new TreeSet<>();
    for (String mad : mads(kind)) {
      try (McpTestClient mcpTestClient = kind.visit(groupUnderTest, mad)) {
        McpTestClient.is(mcpTestClient.connect());
        List<String> tools = McpTestClient.texts(mcpTestClient.tools());
        for (String tool : kind.stays() ? tools : tools.subList(0, 1)) {
          ObjectNode wrong = Json.object().put("no_such_member", 1);
          assertRefused(mcpTestClient.call(tool, wrong), tool, "invalid_input");
          refused.add(tool);
        }
        for (Refusal one : REFUSALS) {
          if (tools.contains(one.tool())) {
            assertRefused(
                mcpTestClient.call(one.tool(), FrameSocketClient.object(one.arguments())),
                one.tool(),
                one.code());
            refused.add(one.tool());
          }
        }
      }
    }
    assertThat(refused).hasSizeGreaterThanOrEqualTo(kind.stays() ? 20 : REFUSALS.size());
  }

  @ParameterizedTest
  @EnumSource
  void readsTheGapOfAClientThatWasEvicted(McpTestClientKind kind) {
    String name = "evicted-" + kind.ordinal();
    try (McpTestClient mcpTestClient = kind.visit(groupUnderTest)) {
      McpTestClient.is(mcpTestClient.connect());
      McpTestClient.is(mcpTestClient.tools());
      for (String client : List.of(name, "successor")) {
        ObjectNode topics = Json.object().put("client_id", client);
        topics.putArray("topics").add("mad.topic.x");
        McpTestClient.is(mcpTestClient.call("grace_subscribe", topics));
      }
      McpTestClient.Outcome outcome =
          mcpTestClient.call("grace_poll_messages", Json.object().put("client_id", name));
      assertRefused(outcome, "grace_poll_messages", "not_subscribed");
      assertThat(((McpTestClient.Outcome.Refused) outcome).text())
          .contains("evicted", "\n{\"gap\":{\"missed\":null,\"reason\":\"evicted\"");
    }
  }
}
