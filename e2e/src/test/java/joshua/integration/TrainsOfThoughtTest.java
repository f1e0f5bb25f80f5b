package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Trains of thought at Horace, by the calls of MAXential's clients. */
class TrainsOfThoughtTest extends GroupTest {
  private final Window ann = new Window("?client_id=" + super.ann);

  /** A window of a client of before 2026-07-28, which has a session of MCP. */
  private final class Window {
    private final String session = UUID.randomUUID().toString();
    private final String query;

    Window(String query) {
      this.query = query;
    }

    JsonNode call(String tool, Object... members) {
      return callAt(group, tool, members);
    }

    JsonNode callAt(TestGroup at, String tool, Object... members) {
      try {
        McpClient client = new McpClient(at.port("horace"), "/thinking" + query);
        ObjectNode call = McpClient.call(tool, members);
        JsonNode result =
            McpClient.tree(client.post(call, "Mcp-Session-Id", session)).path("result");
        return result.path("isError").asBoolean()
            ? result.at("/content/0/text")
            : GraceCalls.succeeded(result.path("structuredContent"));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    void think(String... thoughts) {
      Arrays.stream(thoughts).forEach(thought -> call("think", "thought", thought));
    }

    String text(String tool, Object... members) {
      return call(tool, members).path("content").asText();
    }
  }

  private static List<String> texts(JsonNode answer, String list) {
    return answer.path(list).findValuesAsText("thought");
  }

  private static void assertRefused(JsonNode answer, String code) {
    assertThat(answer.asText()).startsWith(code);
  }

  @Test
  void thoughtsAreNumberedAndRevised() {
    ann.think("one", "two", "three");
    JsonNode fourth = ann.call("revise", "thought", "two!", "revisesThought", "2");
    assertThat(List.of(fourth.path("thoughtNumber").asInt(), fourth.path("revisesThought").asInt()))
        .containsExactly(4, 2);
    assertRefused(ann.call("revise", "thought", "x", "revisesThought", 9), "not_found");
    JsonNode history = ann.call("get_history");
    assertThat(texts(history, "thoughts")).containsExactly("one", "two", "three", "two!");
    JsonNode last = ann.call("get_history", "limit", 2);
    assertThat(texts(last, "thoughts")).containsExactly("three", "two!");
    assertThat(last.toString()).contains("\"totalCount\":4,\"shown\":2,\"isComplete\":false");
    JsonNode second = ann.call("get_thought", "thoughtNumber", 2);
    assertThat(second.toString())
        .contains("\"thought\":\"two\",\"type\":\"thought\",\"isRevision\":false,\"tags\":[],")
        .contains("\"author\":\"%s\"".formatted(super.ann));
    assertRefused(ann.call("get_thought", "thoughtNumber", 5), "not_found");
    ann.think("x".repeat(20_000), "y".repeat(20_000));
    assertThat(ann.call("get_history").path("shown").asInt()).isEqualTo(1);
  }

  @Test
  void branchesAreLeftClosedAndMerged() {
    ann.call("branch", "branchId", "early", "reason", "before any thought");
    assertThat(ann.call("think", "thought", "on early").path("activeBranchId").asText())
        .isEqualTo("early");
    ann.call("switch_branch");
    ann.think("on main");
    assertThat(ann.call("think", "thought", "also", "branchId", "early").path("activeBranchId"))
        .hasToString("\"main\"");
    JsonNode late = ann.call("branch", "branchId", "late [b]", "reason", "why");
    assertThat(late.toString()).contains("\"originThought\":4", "\"branchStatus\":\"active\"");
    ann.think("on late");
    assertRefused(ann.call("branch", "branchId", "early", "reason", "again"), "conflict");
    assertRefused(ann.call("branch", "branchId", "main", "reason", "again"), "conflict");
    assertThat(ann.call("get_history").path("activeBranchId").asText()).isEqualTo("late [b]");
    assertThat(texts(ann.call("get_history", "branchId", "main"), "thoughts"))
        .containsExactly("on main");
    assertRefused(ann.call("get_history", "branchId", "none"), "not_found");

    JsonNode closed = ann.call("close_branch", "branchId", "late [b]", "conclusion", "no");
    assertThat(closed.path("activeBranchId").asText()).isEqualTo("main");
    assertRefused(ann.call("switch_branch", "branchId", "late [b]"), "conflict");
    JsonNode merged =
        ann.call("merge_branch", "branchId", "late [b]", "strategy", "conclusion_only");
    assertThat(merged.path("mergeThoughtNumber").asInt()).isEqualTo(7);
    assertRefused(
        ann.call("merge_branch", "branchId", "late [b]", "strategy", "summary"), "conflict");
    assertThat(ann.call("get_thought", "thoughtNumber", 7).toString())
        .contains("\"thought\":\"no\"")
        .doesNotContain("branchId");
    JsonNode whole = ann.call("merge_branch", "branchId", "early", "strategy", "full_integration");
    assertThat(whole.path("mergeContent").asText())
        .isEqualTo(
            "Branch early integration:\n- Thought 1: BRANCH START: before any thought\n"
                + "- Thought 2: on early\n- Thought 4: also");
    JsonNode all = ann.call("list_branches");
    assertThat(all.toString())
        .contains("{\"id\":\"early\",\"originThought\":0,\"thoughtCount\":3,\"status\":\"merged\",")
        .contains("\"lastThought\":6", "\"totalBranches\":2");
    JsonNode branch = ann.call("get_branch", "branchId", "early").path("branch");
    assertThat(texts(branch, "thoughts")).hasSize(3);
    assertThat(branch.path("status").asText()).isEqualTo("merged");
    assertThat(ann.text("export", "branchId", "early")).doesNotContain("on main", "on late");
  }

  @Test
  void thoughtsAreTaggedAndFound() {
    ann.think("The N+1 query", "ÄRGER", "third");
    JsonNode tagged = ann.call("tag", "thoughtNumber", 1, "add", List.of(" SQL ", "sql", "Slow"));
    assertThat(tagged.path("tags").toString()).isEqualTo("[\"slow\",\"sql\"]");
    ann.call("tag", "thoughtNumber", 2, "add", List.of("sql"));
    JsonNode removed = ann.call("tag", "thoughtNumber", 2, "add", "odd", "remove", List.of("SQL"));
    assertThat(removed.path("removed").toString()).isEqualTo("[\"sql\"]");
    List<String> many = IntStream.range(0, 19).mapToObj(each -> "t" + each).toList();
    assertRefused(ann.call("tag", "thoughtNumber", 1, "add", many), "conflict");
    assertThat(texts(ann.call("search", "tags", List.of("sql", "SLOW")), "matches"))
        .containsExactly("The N+1 query");
    assertThat(texts(ann.call("search", "tags", List.of("sql", "odd")), "matches")).isEmpty();
    assertThat(texts(ann.call("search", "query", "ärger"), "matches")).containsExactly("ÄRGER");
    assertThat(texts(ann.call("search", "query", "third"), "matches")).containsExactly("third");
    JsonNode none = ann.call("search", "query", "n+1", "branchId", "main", "tags", "odd");
    assertThat(none.path("totalMatches").asInt()).isZero();
    assertThat(none.path("searchedThoughts").asInt()).isEqualTo(3);
  }

  @Test
  void aFullSessionTakesItsConclusion() {
    ObjectNode train = Json.object();
    train.putObject("branches");
    for (int number = 1; number <= 10_000; number++) {
      train
          .withArray("thoughtHistory")
          .addObject()
          .put("thoughtNumber", number)
          .put("thought", "x");
    }
    ann.call("session_load", "json", train.toString());
    assertRefused(ann.call("think", "thought", "x"), "conflict");
    assertThat(ann.call("complete", "conclusion", "x").path("conclusionThought").asInt())
        .isEqualTo(10_001);
    String full = ann.call("export", "format", "json").path("content").asText();
    assertThat(ann.call("session_load", "json", full).path("thoughtCount").asInt())
        .isEqualTo(10_001);
  }

  @Test
  void completedSessionTakesNothingUntilReset() {
    ann.think("one");
    JsonNode done = ann.call("complete", "conclusion", "so be it");
    assertThat(done.path("sessionStatus").asText()).isEqualTo("complete");
    assertRefused(ann.call("think", "thought", "x"), "conflict");
    assertRefused(ann.call("revise", "thought", "x", "revisesThought", 1), "conflict");
    assertRefused(ann.call("branch", "branchId", "x", "reason", "x"), "conflict");
    assertRefused(ann.call("complete", "conclusion", "x"), "conflict");
    assertRefused(ann.call("reset", "confirm", false), "invalid_input");
    assertThat(ann.call("get_history").path("isComplete").asBoolean()).isTrue();
    JsonNode reset = ann.call("reset", "confirm", true);
    assertThat(reset.at("/cleared/thoughts").asInt()).isEqualTo(2);
    assertThat(reset.path("sessionStatus").asText()).isEqualTo("complete");
    assertRefused(ann.call("get_history"), "not_found");
    assertThat(ann.call("think", "thought", "anew").path("thoughtNumber").asInt()).isEqualTo(1);
    String before = reset.path("sessionId").asText();
    assertThat(ann.call("session_load", "id", before).path("isComplete").asBoolean()).isTrue();
    assertRefused(ann.call("think", "thought", "x"), "conflict");
  }

  @Test
  void sessionsAreNamedListedAndSummedUp() {
    ann.think("one");
    ann.call("tag", "thoughtNumber", 1, "add", "key");
    ann.call("branch", "branchId", "b", "reason", "r");
    ann.call("close_branch", "branchId", "b", "conclusion", "blue");
    assertThat(ann.call("merge_branch", "branchId", "b", "strategy", "summary").toString())
        .contains("Branch b summary: 1 thoughts explored from thought 1. Conclusion: blue");
    ann.call("session_save", "name", "Colours", "description", "Which?");
    String id = ann.call("complete", "conclusion", "red").path("sessionId").asText();
    JsonNode listed = ann.call("session_list", "status", "complete", "limit", 100);
    assertThat(listed.path("currentSessionId").asText()).isEqualTo(id);
    assertThat(listed.path("sessions").findValuesAsText("name")).contains("Colours");
    JsonNode summary = ann.call("session_summary", "id", id, "maxLength", 100);
    assertThat(summary.path("summary").asText())
        .startsWith("red\n[b] blue\nSession \"Colours\": 4 thoughts")
        .hasSizeLessThanOrEqualTo(100);
    assertThat(summary.path("keyFindings").toString())
        .isEqualTo("[\"red\",\"[b] blue\",\"[key] one\"]");
    assertRefused(ann.call("session_summary", "id", "none"), "not_found");
  }

  @Test
  void exportIsReadInAgain() throws Exception {
    ann.think("one\n\"two\"");
    ann.call("tag", "thoughtNumber", 1, "add", List.of("a", "b"));
    ann.call("branch", "branchId", "b", "reason", "r");
    ann.call("revise", "thought", "ein", "revisesThought", 1);
    String exported = ann.text("export", "format", "json");
    String id = ann.call("session_load", "json", exported).path("sessionId").asText();
    assertThat(id).isEqualTo(Json.parse(exported).at("/session/id").asText());
    ann.think("more");
    JsonNode copy = ann.call("session_load", "json", exported);
    assertThat(copy.path("sessionId").asText()).isNotEqualTo(id);
    assertThat(copy.path("activeBranchId").asText()).isEqualTo("b");
    ObjectNode again = (ObjectNode) Json.parse(ann.text("export", "format", "json"));
    List<String> differ = List.of("exportedAt", "session");
    assertThat(again.remove(differ)).isEqualTo(((ObjectNode) Json.parse(exported)).remove(differ));
    assertThat(ann.call("think", "thought", "4").path("thoughtNumber").asInt()).isEqualTo(4);
    assertThat(ann.text("export"))
        .isEqualTo(
            "# Thinking Chain\n\n## Main Thread\n\n### Thought 1 [a, b]\none\n\"two\"\n\n"
                + "\n---\n\n## Branch: b\n*Branched from thought 1*\n\n"
                + "### Thought 2\nBRANCH START: r\n\n### Thought 3 (revises #1)\nein\n\n"
                + "### Thought 4\n4\n\n");
    assertThat(ann.text("visualize", "showContent", true))
        .startsWith("graph TD\n    T1[\"1: one #34;two#34;\"]\n    T2[\"2: BRANCH START: r\"]\n")
        .contains("T1 --> T2\n    T2 --> T3\n    T3 -. revises .-> T1\n    T3 --> T4\n")
        .endsWith("subgraph B1[\"b\"]\n        T2\n        T3\n        T4\n    end\n");
    assertThat(ann.text("visualize", "format", "ascii"))
        .isEqualTo("#1\n+ branch b\n  #2\n  #3 (revises #1)\n  #4");
    String theirs =
        "{\"thoughtHistory\":[{\"thought\":\"a\",\"thoughtNumber\":1,\"totalThoughts\":1},"
            + "{\"thought\":\"CONCLUSION: b\",\"thoughtNumber\":2}],\"branches\":{},"
            + "\"isComplete\":true}";
    assertThat(ann.call("session_load", "json", theirs).path("isComplete").asBoolean()).isTrue();
    for (String bad : List.of("[", "{}", "[1]", theirs.replace(":2", ":3"))) {
      assertRefused(ann.call("session_load", "json", bad), "invalid_input");
    }
  }

  @Test
  void windowsDontMix() {
    Window one = new Window("");
    Window two = new Window("");
    one.think("of one", "of one");
    assertThat(two.call("think", "thought", "of two").path("thoughtNumber").asInt()).isEqualTo(1);
    String id = one.call("get_history").path("sessionId").asText();
    JsonNode joined = two.call("think", "thought", "of two", "sessionId", id);
    assertThat(joined.path("thoughtNumber").asInt()).isEqualTo(3);
  }

  @Test
  void whoHasNoSeatNamesTheSession() {
    String project = names.of("p");
    GraceCalls.succeeded(group.callHorace("project_create", "project", project, "name", "P"));
    JsonNode first = group.callHorace("think", "project", project, "thought", "a");
    JsonNode second = group.callHorace("think", "project", project, "thought", "b");
    assertThat(GraceCalls.code(second)).isEqualTo("conflict");
    String its = first.path("sessionId").asText();
    assertThat(second.path("message").asText()).contains(its, "1 thoughts", "\"new\"");
    JsonNode third = group.callHorace("think", "sessionId", its, "thought", "b");
    assertThat(third.path("thoughtNumber").asInt()).isEqualTo(2);
    JsonNode other =
        group.callHorace("think", "project", project, "sessionId", "new", "thought", "c");
    assertThat(other.path("thoughtNumber").asInt()).isEqualTo(1);
    JsonNode changes = group.callHorace("project_changes", "project", project, "kind", "thinking");
    assertThat(changes.path("changes").findValuesAsText("action"))
        .containsExactly("begin", "begin");
  }

  @Test
  void whatWasThoughtIsThereAfterARestart() throws Exception {
    Path directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "thoughts");
    try (RedisServer its = SharedRedis.another()) {
      String before;
      try (TestGroup first = TestGroup.of(directory, its, "horace")) {
        ann.callAt(first, "think", "thought", "one");
        ann.callAt(first, "branch", "branchId", "b", "reason", "r");
        ann.callAt(first, "tag", "thoughtNumber", 1, "add", "t");
        before = ann.callAt(first, "get_history").toString();
      }
      try (TestGroup second = TestGroup.of(directory, its, "horace")) {
        assertThat(ann.callAt(second, "get_history").toString()).isEqualTo(before);
        assertThat(ann.callAt(second, "think", "thought", "two").path("activeBranchId").asText())
            .isEqualTo("b");
      }
    }
  }
}
