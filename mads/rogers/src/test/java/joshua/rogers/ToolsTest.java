package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.DirectReaders;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.JsonSchema;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.tool.ConnectionsTool;
import joshua.rogers.tool.ConversationTool;
import joshua.rogers.tool.QueryTool;
import joshua.rogers.tool.StatsTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rogers' own tools as callers see them (REQ-RG-11, +RG-16, wire contract §3). */
class ToolsTest {
  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "test");
  private static final Caller VIEWER = new Caller(Optional.of("alice"), Role.VIEWER, "test");

  private final RogersQueryFixture fixture = new RogersQueryFixture();
  private final ToolRegistry tools =
      new ToolRegistry(
          List.of(
              ConnectionsTool.on(fixture.database()),
              StatsTool.on(fixture.database(), () -> RogersQueryFixture.NOW),
              QueryTool.on(fixture.queries()),
              ConversationTool.on(
                  new JournalExchanges(
                      fixture.database(), RogersQueryFixture.JOURNAL, DirectReaders.ADMINS))),
          new SimpleMeterRegistry(),
          () -> RogersQueryFixture.NOW);

  ToolsTest() throws Exception {}

  @AfterEach
  void close() {
    fixture.close();
  }

  private JsonNode call(Caller caller, String tool, String input) throws Exception {
    ObjectNode tree = (ObjectNode) Json.parse(input.replace('\'', '"'));
    return switch (tools.begin(tool, tree, caller, CallContext.SILENT).await()) {
      case ToolResult.Success success -> {
        assertThat(
                new JsonSchema(tools.spec(tool).orElseThrow().outputSchema())
                    .problem(success.output()))
            .isEmpty();
        yield success.output();
      }
      case ToolResult.Refused(var refusal) ->
          Json.object().put("code", refusal.code().wireName()).put("message", refusal.message());
    };
  }

  private void connection(String name, String status) throws Exception {
    fixture.row(
        "connections",
        name,
        status,
        "09:00:00",
        "15:00:00",
        "14:00:00",
        "because",
        1,
        10,
        null,
        "7",
        null,
        "[{\"instance\":\"i\"}]");
  }

  @Test
  void connectionsAreListedWithTheirReasons() throws Exception {
    connection("bob", "STALE");
    connection("alice", "HEALTHY");
    JsonNode all = call(ANYBODY, "rogers_get_connections", "{}");
    assertThat(all.path("status").asText()).isEqualTo("success");
    assertThat(all.path("connections").findValuesAsText("mad_id")).containsExactly("alice", "bob");
    JsonNode bob =
        call(ANYBODY, "rogers_get_connections", "{'status':'STALE'}").path("connections").path(0);
    assertThat(bob.path("why").asText()).isEqualTo("because");
    assertThat(bob.path("connected_at").asText()).isEqualTo("2026-11-18T09:00:00.000Z");
    assertThat(bob.path("has_beaten").asBoolean()).isTrue();
    assertThat(bob.path("instances").path(0).path("instance").asText()).isEqualTo("i");
    assertThat(call(ANYBODY, "rogers_get_connections", "{'status':'GONE'}").path("code").asText())
        .isEqualTo("invalid_input");
  }

  @Test
  void soManyConnectionsAreListedAndNoMore() throws Exception {
    fixture.change(
        """
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
        insert into connections select 'p-' || n, 'HEALTHY', '', '', '', '', 1, null, null, null,
          null, '[]' from numbers
        """,
        ConnectionsTool.MOST + 1);
    JsonNode answer = call(ANYBODY, "rogers_get_connections", "{}");
    assertThat(answer.path("connections")).hasSize(ConnectionsTool.MOST);
    assertThat(answer.path("left_out").asInt()).isEqualTo(1);
  }

  @Test
  void countsAreGivenByHourSenderAndTopicOrGrouped() throws Exception {
    fixture.row("hourly_metrics", "15:00:00", "alice", "mad.direct", 5);
    fixture.row("hourly_metrics", "15:00:00", "?", "mad.topic", 2);
    fixture.row("hourly_metrics", "14:00:00", "alice", "mad.topic", 7);
    fixture.row("not_seen", 1, "14:10:00", "14:11:00", "the bus was away", null);
    JsonNode all = call(ANYBODY, "rogers_get_stats", "{}");
    assertThat(all.path("stats").path(0))
        .isEqualTo(
            Json.object(
                """
                {"hour_timestamp":"2026-11-18T15:00:00.000Z","sender_id":"alice",
                 "topic_pattern":"mad.direct","message_count":5}\
                """));
    assertThat(all.path("stats")).hasSize(3);
    assertThat(all.path("not_seen")).hasSize(1);
    JsonNode now = call(ANYBODY, "rogers_get_stats", "{'hours':1}");
    assertThat(now.path("stats").findValuesAsText("message_count")).containsExactly("5", "2");
    assertThat(now.path("not_seen")).isEmpty();
    assertThat(counts("{'sender_id':'?'}")).containsExactly("2");
    assertThat(counts("{'topic_pattern':'mad.topic','hours':2}")).containsExactly("2", "7");
    assertThat(counts("{'group_by':'sender_id'}")).containsExactly("12", "2");
    assertThat(counts("{'group_by':['topic_pattern','hour_timestamp']}"))
        .containsExactly("5", "2", "7");
    assertThat(counts("{'group_by':[]}")).containsExactly("14");
    JsonNode row =
        call(ANYBODY, "rogers_get_stats", "{'group_by':'sender_id'}").path("stats").path(0);
    assertThat(row.path("hour_timestamp").isNull()).isTrue();
    assertThat(call(ANYBODY, "rogers_get_stats", "{'group_by':'size'}").path("message").asText())
        .contains("group_by");
  }

  private List<String> counts(String input) throws Exception {
    return call(ANYBODY, "rogers_get_stats", input).path("stats").findValuesAsText("message_count");
  }

  @Test
  void evidenceCanBeLookedUpAgain() throws Exception {
    connection("bob", "STALE");
    JsonNode answer =
        call(ANYBODY, "rogers_query", "{'name':'connections','arguments':{'status':'STALE'}}");
    assertThat(answer.path("query").asText()).isEqualTo("connections");
    assertThat(answer.path("arguments").path("status").asText()).isEqualTo("STALE");
    assertThat(answer.path("rows").path(0).path("participant").asText()).isEqualTo("bob");
    JsonNode again =
        call(
            ANYBODY,
            "rogers_query",
            Json.write(
                Json.object()
                    .put("name", answer.path("query").asText())
                    .set("arguments", answer.path("arguments"))));
    assertThat(again).isEqualTo(answer);
  }

  @Test
  void whatIsNotOnTheWhitelistIsRefused() throws Exception {
    assertThat(call(ANYBODY, "rogers_query", "{'name':'drop table'}").path("code").asText())
        .isEqualTo("forbidden");
    JsonNode refused =
        call(ANYBODY, "rogers_query", "{'name':'senders','arguments':{'sql':'select 1'}}");
    assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
    assertThat(refused.path("message").asText()).contains("sql");
    assertThat(call(ANYBODY, "rogers_query", "{'name':'connections_at'}").path("message").asText())
        .contains("at is required");
  }

  @Test
  void aViewerReadsNobodyElsesPromptsAndLetters() throws Exception {
    String id = UUID.randomUUID().toString();
    fixture.change(
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, input_digest)
        values (?, 'PENDING', 'bob', 'who?', ?, ?, 'converse', '{}', ?, ?, '')
        """,
        id,
        RogersQueryFixture.at("15:00:00"),
        RogersQueryFixture.at("15:00:00"),
        id,
        id);
    fixture.row("dead_letters", 1, "15:10:00", "mad.direct.bob", "is no JSON", "for bob", 5, 1);
    fixture.row("dead_letters", 2, "15:10:00", "mad.direct.alice", "is no JSON", "for alice", 5, 1);
    assertThat(call(ANYBODY, "rogers_query", "{'name':'tasks'}").path("rows")).hasSize(1);
    assertThat(call(VIEWER, "rogers_query", "{'name':'tasks'}").path("rows")).isEmpty();
    fixture.row("dead_letters", 3, "15:10:00", "mad.topic.x", "is no JSON", "for all", 5, 1);
    assertThat(heads(VIEWER)).containsExactly("for all", "null", "null");
    assertThat(heads(new Caller(Optional.of("olga"), Role.OPERATOR, "test")))
        .as("heads of direct messages are for admins alone")
        .containsExactly("for all", "null", "null");
    for (Caller all : List.of(ANYBODY, new Caller(Optional.of("ada"), Role.ADMIN, "test"))) {
      assertThat(heads(all)).containsExactly("for all", "for alice", "for bob");
    }
  }

  private List<String> heads(Caller caller) throws Exception {
    return call(caller, "rogers_query", "{'name':'dead_letters'}")
        .path("rows")
        .findValuesAsText("head");
  }

  @Test
  void anExchangeIsAskedForByExactlyOneId() throws Exception {
    String id = UUID.randomUUID().toString();
    assertThat(call(ANYBODY, "rogers_get_conversation", "{}").path("code").asText())
        .isEqualTo("invalid_input");
    assertThat(
            call(
                    ANYBODY,
                    "rogers_get_conversation",
                    "{'conversation_id':'%s','correlation_id':'%s'}".formatted(id, id))
                .path("code")
                .asText())
        .isEqualTo("invalid_input");
    JsonNode unknown =
        call(ANYBODY, "rogers_get_conversation", "{'correlation_id':'%s'}".formatted(id));
    assertThat(unknown.path("messages")).isEmpty();
    assertThat(unknown.path("complete").asBoolean()).isFalse();
  }
}
