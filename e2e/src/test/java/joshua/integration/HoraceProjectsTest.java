package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projects at Horace: rules, states, checkpoints, decisions and snapshots. */
class HoraceProjectsTest extends GroupTest {
  private final String shop = names.of("shop");

  private JsonNode call(String tool, Object... members) {
    return group.callHorace(
        tool, Stream.concat(Stream.of("project", shop), Stream.of(members)).toArray());
  }

  private JsonNode succeeded(String tool, Object... members) {
    return GraceCalls.succeeded(call(tool, members));
  }

  private void create(String template) {
    succeeded("project_create", "name", "Shop", "template", template);
  }

  private static ObjectNode object(Object... members) {
    return FrameClient.object(members);
  }

  private String content(String path) {
    return succeeded("document_read", "path", path).path("content").asText();
  }

  @Test
  void aProjectWithAProcessRefusesWhatBreaksItsRules() {
    create("ad_sdlc");
    assertThat(call("project_create", "name", "again").path("code").asText()).isEqualTo("conflict");
    assertThat(content("info/project.yaml")).contains("projectId: " + shop, "status: active");
    ObjectNode order =
        object("orderId", "WO-1", "issueId", "1", "issueUrl", "no url", "priority", 4);
    order.put("createdAt", "2026-02-15T09:00:00Z").putArray("acceptanceCriteria");
    Object[] write = {"path", "progress/work_orders/WO-1.yaml", "data", order};
    assertThat(call("document_write", write).path("message").asText())
        .contains("/issueUrl", "/priority", "/acceptanceCriteria");
    order.put("issueUrl", "http://x/1").put("priority", 3).withArray("acceptanceCriteria").add("a");
    succeeded("document_write", write);

    assertThat(update("implementing").path("message").asText())
        .contains("first phase is collecting");
    assertThat(update("collecting").path("status").asText()).isEqualTo("success");
    assertThat(update("merged").path("message").asText())
        .startsWith("From collecting to merged isn't allowed; from collecting: clarifying,");
    Object[] around = {
      "path", "project/state.json", "content", "{\"phase\":\"merged\"}", "overwrite", true
    };
    assertThat(call("document_write", around).path("code").asText()).isEqualTo("conflict");
    succeeded(
        "document_edit",
        "path",
        "rules/phases.json",
        "merge",
        object("phases", object("merged", List.of())));
    assertThat(
            call(
                    "document_write",
                    "path",
                    "rules/schemas.json",
                    "content",
                    "[1]",
                    "overwrite",
                    true)
                .path("code")
                .asText())
        .isEqualTo("invalid_input");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1]",
        "[{\"paths\":[\"/../a\"],\"schema\":{\"type\":\"object\"}}]",
        "[{\"paths\":[\"a\"],\"schema\":{\"$ref\":\"#\"}}]",
        "[{\"paths\":[\"a\"],\"schema\":{\"$ref\":\"http://127.0.0.1:1/x\"}}]",
        "[{\"paths\":[\"a\"],\"schema\":{\"type\":\"nonsense\"}}]",
        "[{\"paths\":[\"a\"],\"schema\":{\"pattern\":\"(\"}}]"
      })
  void schemasThatCheckNothingAreRefused(String rules) {
    create("empty");
    JsonNode refused = call("document_write", "path", "rules/schemas.json", "content", rules);
    assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
  }

  @Test
  void thePhaseCannotBeForgotten() {
    create("ad_sdlc");
    assertThat(call("project_update", "updates", object("phase", List.of("x"))).toString())
        .contains("phase must be text");
    update("collecting");
    update("cancelled");
    Object[] state = {"path", "project/state.json", "expected_version", 2};
    assertThat(call("document_delete", state).path("message").asText())
        .startsWith("From cancelled to none isn't allowed");
    Object[] files = {
      "files", List.of(Map.of("path", "project-state.yaml", "content", "phase: merged"))
    };
    assertThat(succeeded("project_import", files).path("skipped").toString())
        .contains("From cancelled to merged");
    Object[] asText = {"path", "project/state.json", "content", "", "format", "text"};
    assertThat(call("document_write", asText).path("message").asText())
        .endsWith("so its format must be json or yaml");
    succeeded("document_write", "path", "a.md", "content", "x");
    succeeded("document_delete", "path", "a.md", "expected_version", 1);
    assertThat(call("document_read", "path", "a.md").path("message").asText())
        .startsWith("a.md was deleted by somebody");
  }

  private JsonNode update(String phase) {
    return call("project_update", "updates", object("phase", phase));
  }

  @Test
  void updatesAtTheSameTimeAreAllInTheState() {
    create("empty");
    CompletableFuture.allOf(
            IntStream.range(0, 8)
                .mapToObj(each ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 10; i++) {
                            ObjectNode inner = object("m%d-%d".formatted(each, i), i);
                            succeeded("project_update", "updates", object("a", inner));
                          }
                        },
                        Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
    assertThat(succeeded("project_state").at("/state/a")).hasSize(80);
    assertThat(succeeded("document_read", "path", "project/state.json").path("version").asInt())
        .isEqualTo(80);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &a [*a]",
        "a: 1\na: 2",
        "\ta: 1",
        "a: !!java.net.URL x",
        "--- 1\n--- 2",
        "<<: {a: 1}",
        "? [a]\n: 1",
        "a: 1e9999",
        "a: 1\nb: \u0001",
        "l: &l [1,1,1,1,1,1,1,1]\nm: &m [*l,*l,*l,*l,*l,*l,*l,*l]\nn: &n [*m,*m,*m,*m,*m,*m,*m,*m]\n"
            + "o: &o [*n,*n,*n,*n,*n,*n,*n,*n]\np: &p [*o,*o,*o,*o,*o,*o,*o,*o]\n"
            + "q: [*p,*p,*p,*p,*p,*p,*p,*p]"
      })
  void yamlThatMeansNothingClearIsRefusedWithItsPlace(String yaml) {
    create("empty");
    JsonNode refused = call("document_write", "path", "a.yaml", "content", yaml);
    assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
    assertThat(refused.path("message").asText()).startsWith("a.yaml ").contains("line ");
    assertThat(
            call("document_write", "path", "a.yaml", "content", "[".repeat(5_000))
                .path("code")
                .asText())
        .isEqualTo("invalid_input");
  }

  @Test
  void dataIsTheSameAfterYaml() throws Exception {
    create("empty");
    ObjectNode data = Json.object();
    int i = 0;
    for (String text :
        List.of(
            "yes",
            "No",
            "012",
            "1",
            "1.0",
            "1e3",
            "0x1f",
            "2026-02-15",
            "12:30:45",
            "~",
            "null",
            "true",
            ".inf",
            "",
            " a",
            "a ",
            "a: b",
            "- a",
            "#c",
            "'q'",
            "\"d\"",
            "a\nb",
            "a\n",
            "\na\n\n",
            "  a\n b",
            "a\tb",
            "\u0007",
            "é😀",
            "<<",
            "=",
            "*a",
            "&a",
            "!t",
            "%x",
            "@x",
            "`x",
            "[a",
            "{a",
            "y",
            "off",
            "a\\b",
            "é: ü",
            "\u2028x",
            "😀".repeat(2_000),
            "x" + "😀".repeat(2_000))) {
      data.put("k" + i++, text).put(text + "k", i).put(text, text);
    }
    data.putArray("list")
        .add(1)
        .add(new java.math.BigDecimal("1.50"))
        .add(true)
        .addNull()
        .addObject();
    succeeded("document_write", "path", "a.yaml", "data", data);
    JsonNode read =
        succeeded("document_read", "path", "a.yaml", "as", "data", "max_bytes", 1_000_000);
    assertThat(read.path("data")).isEqualTo(Json.parse(data.toString()));
    JsonNode merged =
        succeeded("document_edit", "path", "a.yaml", "merge", object("k0", object("deep", 1)));
    assertThat(merged.has("caveat")).isFalse();
    succeeded("document_write", "path", "b.yaml", "content", "# why\na: 1 # so\n");
    assertThat(
            succeeded("document_edit", "path", "b.yaml", "merge", object("b", 2))
                .path("caveat")
                .asText())
        .startsWith("Comments are not kept");
    assertThat(content("b.yaml")).isEqualTo("a: 1\nb: 2\n");
  }

  @Test
  void aSnapshotIsKeptBesideTheNewestVersionsAndRestoredAsNewOnes() {
    create("empty");
    for (int i = 1; i <= 60; i++) {
      succeeded("document_write", "path", "a.txt", "content", "v" + i, "overwrite", true);
      if (i == 3) {
        succeeded("project_snapshot", "label", "three");
      }
    }
    List<Integer> kept =
        succeeded("document_history", "path", "a.txt")
            .path("versions")
            .valueStream()
            .map(version -> version.path("version").asInt())
            .toList();
    assertThat(kept).hasSize(51).startsWith(60).endsWith(11, 3);
    succeeded("document_write", "path", "b.txt", "content", "new");
    long snapshot =
        group
            .callHorace("horace_query", "name", "snapshots", "arguments", Map.of("project", shop))
            .at("/rows/0/snapshot")
            .asLong();
    JsonNode restored = succeeded("project_restore", "snapshot", snapshot);
    assertThat(restored.path("restored").toString() + restored.path("removed"))
        .isEqualTo("[\"a.txt\"][\"b.txt\"]");
    assertThat(content("a.txt")).isEqualTo("v3");
    long fence = succeeded("document_lock", "path", "a.txt").path("fence").asLong();
    Object[] undo = {"snapshot", restored.path("undo").asLong()};
    assertThat(call("project_restore", undo).path("code").asText()).isEqualTo("conflict");
    succeeded("document_unlock", "path", "a.txt", "fence", fence);
    succeeded("project_restore", undo);
    assertThat(content("a.txt") + content("b.txt")).isEqualTo("v60new");
  }

  @Test
  void aCheckpointLetsAgentsBeginAndTellsThem() throws Exception {
    create("diverga");
    McpClient diverga = new McpClient(group.port("horace"), "/diverga-checkpoint?project=" + shop);
    JsonNode tools =
        McpClient.tree(diverga.post(McpClient.request("tools/list", Json.object())))
            .at("/result/tools");
    assertThat(tools.findValuesAsText("name"))
        .containsExactlyInAnyOrder(
            "diverga_check_prerequisites", "diverga_mark_checkpoint", "diverga_checkpoint_status");
    Object[] c5 = {"agent_id", "C5-MetaAnalysis"};
    JsonNode check = answer(diverga, "diverga_check_prerequisites", c5);
    assertThat(check.path("approved").asBoolean()).isFalse();
    assertThat(check.path("missing")).hasSize(2);
    assertThat(
            answer(diverga, "diverga_check_prerequisites", "agent_id", "x")
                .path("message")
                .asText())
        .contains("unknown");
    mark(diverga, "CP_RESEARCH_DIRECTION");
    try (RawRedis c = redis.connect()) {
      c.call("SUBSCRIBE", "mad.direct.c5");
      JsonNode marked = mark(diverga, "CP_METHODOLOGY_APPROVAL");
      assertThat(marked.path("unblocks").toString()).contains("\"c5\"", "\"d1\"");
      JsonNode told = GraceCalls.heard(c).path("payload");
      assertThat(told.path("checkpoint_id").asText()).isEqualTo("CP_METHODOLOGY_APPROVAL");
      assertThat(told.path("project").asText()).isEqualTo(shop);
    }
    assertThat(answer(diverga, "diverga_check_prerequisites", c5).path("approved").asBoolean())
        .isTrue();
    JsonNode status = answer(diverga, "diverga_checkpoint_status");
    assertThat(status.path("passed")).hasSize(2);
    assertThat(status.path("blocked").findValuesAsText("agent"))
        .contains("c1")
        .doesNotContain("c5");
  }

  private JsonNode mark(McpClient diverga, String checkpoint) throws Exception {
    Object[] input = {"checkpoint_id", checkpoint, "decision", "yes", "rationale", "so"};
    return answer(diverga, "diverga_mark_checkpoint", input);
  }

  private static JsonNode answer(McpClient client, String tool, Object... input) throws Exception {
    JsonNode result = client.result(tool, input);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    return result.path("structuredContent");
  }

  @Test
  void decisionsAreAmendedAndFound() {
    create("empty");
    assertThat(add("selected", "A", "checkpoint_id", "CP_A").path("decision_id").asText())
        .isEqualTo("DEV_001");
    add("selected", "B", "metadata", object("agent", "c1"), "alternatives", List.of("x"));
    assertThat(add("selected", "A2", "amends", "DEV_001").path("version").asInt()).isEqualTo(2);
    assertThat(call("decision_add", "selected", "A3", "amends", "DEV_001").path("message").asText())
        .contains("amended by DEV_003");
    assertThat(call("decision_add", "selected", "x", "amends", "DEV_9").path("code").asText())
        .isEqualTo("not_found");
    assertThat(decisions()).containsExactly("DEV_002", "DEV_003");
    assertThat(decisions("checkpoint_id", "CP_A")).containsExactly("DEV_003");
    assertThat(succeeded("decision_list", "all", true, "limit", 1).path("total").asInt())
        .isEqualTo(3);
    assertThat(decisions("all", true, "limit", 1)).containsExactly("DEV_001");
    Object[] behind = {"all", true, "after_id", "DEV_002"};
    assertThat(succeeded("decision_list", behind).path("total").asInt()).isEqualTo(3);
    assertThat(decisions("all", true, "after_id", "DEV_001")).containsExactly("DEV_002", "DEV_003");
    assertThat(decisions("agent", "c1")).containsExactly("DEV_002");
    assertThat(decisions("query", "a2")).containsExactly("DEV_003");
    assertThat(decisions("before", "2020-01-01T00:00:00Z")).isEmpty();
    String long600 = "é😀".repeat(200);
    JsonNode written = succeeded("priority_write", "context", "x" + long600);
    assertThat(written.path("cut").asBoolean()).isTrue();
    assertThat(succeeded("priority_read").path("context").asText())
        .doesNotContain("?")
        .startsWith("xé😀");
    assertThat(succeeded("project_briefing").path("briefing").asText())
        .startsWith("Project " + shop)
        .contains("xé😀", "add DEV_002")
        .hasSizeLessThanOrEqualTo(2_000);
  }

  private JsonNode add(Object... members) {
    return succeeded("decision_add", members);
  }

  private List<String> decisions(Object... members) {
    return succeeded("decision_list", members).path("decisions").findValuesAsText("decision_id");
  }
}
