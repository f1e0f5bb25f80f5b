package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Diverga's calls for messages at Dewey, as its programs make them; the numbers are those of the
 * statements in the requirements of messages.
 */
@Execution(ExecutionMode.SAME_THREAD) // a broadcast reaches all who have registered
class DivergaTest extends GroupTest {
  private final String cid = names.of("Cid-Reviewer");
  private McpClient diverga;

  @BeforeEach
  void register() throws Exception {
    diverga = new McpClient(group.port("dewey"), "/diverga-comm");
    for (String agent : List.of(ann, bob, cid)) {
      call("diverga_agent_register", "agent_id", agent, "metadata", metadata("status", "active"));
    }
  }

  private static ObjectNode metadata(String name, String value) {
    return Json.object().put(name, value);
  }

  private JsonNode call(String tool, Object... members) throws Exception {
    JsonNode result = diverga.result(tool, members);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    return Json.parse(result.at("/content/0/text").asText());
  }

  private JsonNode send(String from, String to, String content) throws Exception {
    return call("diverga_message_send", "from", from, "to", to, "content", content);
  }

  private List<String> contents(Object... input) throws Exception {
    return call("diverga_message_mailbox", input).path("messages").findValuesAsText("content");
  }

  @Test
  void itsSixToolsAreListedThereAlone() throws Exception {
    List<String> tools =
        McpClient.tree(diverga.post(McpClient.request("tools/list", Json.object())))
            .at("/result/tools")
            .findValuesAsText("name");
    assertThat(tools).hasSize(6).allMatch(tool -> tool.startsWith("diverga_"));
    JsonNode refused =
        McpClient.tree(diverga.post(McpClient.call("dewey_mail", Json.object()))).path("error");
    assertThat(refused.path("message").asText()).contains("no tool dewey_mail here");
  }

  @Test
  void m9AMailboxReturnsAMessageOnceAndAPeekLeavesIt() throws Exception {
    String content = "a \"quoted\" line\nand more".repeat(2_000);
    String id = send(ann, bob, content).path("message_id").asText();
    Object[] all = {"agent_id", bob, "unread_only", false};
    assertThat(call("diverga_message_mailbox", all).at("/messages/0/status").asText())
        .isEqualTo("unread");
    JsonNode message = call("diverga_message_mailbox", "agent_id", bob).at("/messages/0");
    assertThat(message.path("message_id").asText()).isEqualTo(id);
    assertThat(message.path("from").asText()).isEqualTo(ann);
    assertThat(message.path("content").asText()).isEqualTo(content);
    assertThat(contents("agent_id", bob)).isEmpty();
    assertThat(call("diverga_message_mailbox", all).at("/messages/0/status").asText())
        .isEqualTo("read");
  }

  @Test
  void m10MessagesComeInOrderAsManyAsAsked() throws Exception {
    for (String content : List.of("1", "2", "3")) {
      send(ann, cid, content);
    }
    send(bob, cid, "4");
    assertThat(contents("agent_id", cid, "limit", 2)).containsExactly("1", "2");
    assertThat(contents("agent_id", cid, "limit", 10, "unread_only", true))
        .containsExactly("3", "4");
    JsonNode read =
        call("diverga_message_mailbox", "agent_id", cid, "unread_only", false, "limit", 3);
    assertThat(read.path("remaining").asInt()).isEqualTo(1);
    Object last = read.at("/messages/2/message_id");
    assertThat(contents("agent_id", cid, "unread_only", false, "after", last)).containsExactly("4");
  }

  @Test
  void m11AnAcknowledgementHasItsResponseAndAnUnknownIdIsAnError() throws Exception {
    JsonNode id = send(ann, bob, "ready?").path("message_id");
    Object[] input = {"message_id", id, "response", "yes"};
    assertThat(call("diverga_message_acknowledge", input).path("acknowledged").asBoolean())
        .isTrue();
    JsonNode message =
        call("diverga_message_mailbox", "agent_id", bob, "unread_only", false).at("/messages/0");
    assertThat(message.path("status").asText()).isEqualTo("acknowledged");
    assertThat(message.path("response").asText()).isEqualTo("yes");
    Await.until("ann is told", () -> contents("agent_id", ann).toString().contains("yes"));
    Object[] unknown = {"message_id", UUID.randomUUID()};
    assertThat(diverga.result("diverga_message_acknowledge", unknown).path("isError").asBoolean())
        .isTrue();
  }

  @Test
  void aClosedThreadIsFollowedByAnother() throws Exception {
    send(ann, bob, "one");
    String thread = threadOf(bob);
    group.callDewey(
        "dewey_thread_status", "client_id", ann, "thread_id", thread, "thread_status", "closed");
    send(bob, ann, "two");
    assertThat(threadOf(ann)).isNotEqualTo(thread);
    grace.send(cid, toBob, Json.object().set("text", Json.object().put("a", 1)));
    Await.until("cid's is kept", () -> contents("agent_id", bob).contains("{\"text\":{\"a\":1}}"));
  }

  /** The thread of the last message to somebody. */
  private String threadOf(String name) {
    JsonNode messages = group.callDewey("dewey_mail", "client_id", name).path("messages");
    return messages.path(messages.size() - 1).at("/envelope/conversation_id").asText();
  }

  @Test
  void m12ABroadcastReachesEachOtherAgentOnce() throws Exception {
    int agents = call("diverga_agent_list").path("agents").size();
    Object[] toAll = {"from", ann, "content", "to all", "metadata", metadata("stage", "setup")};
    JsonNode told = call("diverga_message_broadcast", toAll);
    assertThat(told.path("recipient_count").asInt()).isEqualTo(agents - 1);
    JsonNode message = call("diverga_message_mailbox", "agent_id", bob).at("/messages/0");
    assertThat(message.at("/metadata/stage").asText()).isEqualTo("setup");
    assertThat(message.path("broadcast").asBoolean()).isTrue();
    assertThat(contents("agent_id", cid)).containsExactly("to all");
    assertThat(contents("agent_id", ann)).isEmpty();
  }

  @Test
  void anAgentKeepsWhatItDoesNotChange() throws Exception {
    call("diverga_agent_register", "agent_id", bob, "metadata", metadata("model", ann));
    Object[] filters = {"filters", metadata("model", ann).put("status", "active")};
    assertThat(call("diverga_agent_list", filters).path("agents").findValuesAsText("agent_id"))
        .containsExactly(bob);
  }
}
