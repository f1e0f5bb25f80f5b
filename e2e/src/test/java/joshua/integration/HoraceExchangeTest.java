package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What projects take in, and give out. */
class HoraceExchangeTest extends GroupTest {
  private static final List<Map<String, String>> FOLDER =
      List.of(
          file(
              "research/checkpoints.yaml",
              "checkpoints: {active: [{checkpoint_id: CP_A, decision: yes}], done: []}"),
          file("decision-log.yaml", "decisions: [{decision_id: DEV_001, selected: old}]"),
          file(
              "research/decision-log.yaml",
              "decisions:\n- {decision_id: DEV_004, selected: 'é 1', checkpoint_id: CP_B, metadata: {a: 1}}\n"),
          file(".research/project-state.yaml", "a: {b: 1}"),
          file("research/priority-context.md", "first"),
          file(
              "agent-prerequisite-map.json", "{\"agents\":{\"x\":{\"prerequisites\":[\"CP_A\"]}}}"),
          file("research/broken.yaml", "a: ["),
          file("messages.json", "[]"),
          file(".ad-sdlc/scratchpad/progress/001/n.md", "note"),
          file("../out.md", "x"));

  private static Map<String, String> file(String path, String content) {
    return Map.of("path", path, "content", content);
  }

  private JsonNode succeeded(String tool, Object... members) {
    return GraceCalls.succeeded(group.callHorace(tool, members));
  }

  private JsonNode take(String project, List<Map<String, String>> files, boolean dry) {
    return succeeded("project_import", "project", project, "files", files, "dry_run", dry);
  }

  private ObjectNode export(String project) throws Exception {
    JsonNode answer = succeeded("project_export", "project", project, "format", "json");
    ObjectNode all = (ObjectNode) joshua.kernel.Json.parse(answer.path("content").asText());
    return all.without(List.of("exported_at"));
  }

  @Test
  void aFolderIsTakenInOnceAndGoesOutTheSame() throws Exception {
    String one = names.of("one");
    String two = names.of("two");
    succeeded("project_create", "project", one, "name", "1");
    succeeded("project_create", "project", two, "name", "2");
    assertThat(take(one, FOLDER, true).path("imported")).hasSize(4);
    assertThat(export(one).path("decisions")).isEmpty();
    JsonNode taken = take(one, FOLDER, false);
    assertThat(taken.path("imported").toString())
        .isEqualTo("{\"checkpoints\":1,\"decisions\":2,\"documents\":3,\"state\":1}");
    assertThat(taken.path("skipped").findValuesAsText("path"))
        .containsExactlyInAnyOrder("research/broken.yaml", "messages.json", "../out.md");
    assertThat(taken.path("skipped").toString()).contains("line 1", "mail is Dewey's");
    JsonNode again = take(one, FOLDER, false);
    assertThat(again.path("imported")).isEmpty();
    assertThat(again.path("unchanged").asInt()).isEqualTo(7);
    assertThat(
            succeeded("decision_add", "project", one, "selected", "next")
                .path("decision_id")
                .asText())
        .isEqualTo("DEV_005");
    assertThat(
            succeeded("checkpoint_check", "project", one, "agent_id", "x")
                .path("approved")
                .asBoolean())
        .isTrue();

    String yaml = succeeded("project_export", "project", one).path("content").asText();
    assertThat(yaml).contains("version: '9.0.0'", "progress/n.md:");
    List<Map<String, String>> exported = List.of(file("export.yaml", yaml));
    take(two, exported, false);
    ObjectNode first = export(one);
    ObjectNode second = export(two);
    ((ObjectNode) first.path("joshua")).remove("project");
    ((ObjectNode) second.path("joshua")).remove("project");
    assertThat(second).isEqualTo(first);

    take(
        two,
        List.of(file("decision-log.yaml", "decisions: [{decision_id: DEV_001, selected: other}]")),
        false);
    assertThat(export(two).at("/decisions/3/decision_id").asText()).isEqualTo("DEV_006");
    assertThat(export(two).at("/decisions/3/metadata/imported_as").asText()).isEqualTo("DEV_001");
  }

  @Test
  void decisionsThatGetOtherIdsNameEachOtherByThese() throws Exception {
    String here = names.of("here");
    succeeded("project_create", "project", here, "name", "1");
    succeeded("decision_add", "project", here, "selected", "own");
    String log =
        "decisions: [{decision_id: DEV_001, selected: a, superseded_by: DEV_002},"
            + " {decision_id: DEV_002, selected: b, supersedes: DEV_001}]";
    JsonNode taken = take(here, List.of(file("decision-log.yaml", log)), false);
    assertThat(taken.path("renamed").toString())
        .isEqualTo("{\"DEV_001\":\"DEV_002\",\"DEV_002\":\"DEV_003\"}");
    String there = names.of("there");
    succeeded("project_create", "project", there, "name", "1");
    String all = succeeded("project_export", "project", here).path("content").asText();
    assertThat(take(there, List.of(file("e.yaml", all)), false).path("renamed")).isEmpty();
    assertThat(export(there).path("decisions")).isEqualTo(export(here).path("decisions"));
    assertThat(export(here).at("/decisions/1/superseded_by").asText()).isEqualTo("DEV_003");
    assertThat(export(here).at("/decisions/2/supersedes").asText()).isEqualTo("DEV_002");
  }

  @Test
  void thePiecesOfAnExportBelongTogether() {
    String here = names.of("here");
    succeeded("project_create", "project", here, "name", "1");
    Object[] piece = {"project", here, "offset", 10, "change", 0};
    assertThat(group.callHorace("project_export", piece).path("code").asText())
        .isEqualTo("conflict");
    JsonNode first = succeeded("project_export", "project", here);
    piece[5] = first.path("change").asLong();
    assertThat(succeeded("project_export", piece).path("content").asText())
        .hasSize(first.path("content").asText().length() - 10);
    assertThat(
            group.callHorace("project_export", "project", here, "offset", 10).path("code").asText())
        .isEqualTo("invalid_input");
  }

  @Test
  void whatCannotBeTakenInIsNamed() {
    String here = names.of("here");
    succeeded("project_create", "project", here, "name", "1");
    succeeded("document_lock", "project", here, "path", "a.md");
    List<Map<String, String>> files =
        List.of(
            file("a.md", "x"),
            file("research/project-state.yaml", "a: 1"),
            file(".research/project-state.yaml", "a: 2"),
            file(
                "decision-log.yaml",
                "decisions: [{decision_id: DEV_9223372036854775807, selected: x}]"),
            file("checkpoints.yaml", "checkpoints: 3"),
            file("export.yaml", "project_state: {}\ndecisions: []\ncheckpoints: 4"),
            file("state.yaml", "project_state: 1\ndecisions: []"),
            file("scratchpad/info/001/project.yaml", "a: 1"),
            file("scratchpad/info/002/project.yaml", "a: 2"));
    JsonNode taken = take(here, files, false);
    assertThat(taken.path("imported").toString()).isEqualTo("{\"documents\":2,\"state\":1}");
    assertThat(taken.path("skipped").findValuesAsText("path"))
        .containsExactlyInAnyOrder(
            "a.md",
            ".research/project-state.yaml",
            "decision-log.yaml",
            "checkpoints.yaml",
            "export.yaml",
            "state.yaml");
    assertThat(take(here, files, false).path("imported")).isEmpty();
    JsonNode state = succeeded("project_state", "project", here);
    assertThat(state.at("/state/a").asInt()).isEqualTo(1);
  }
}
