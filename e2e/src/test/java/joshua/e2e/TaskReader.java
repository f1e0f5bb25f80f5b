package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads Fiedler's tasks through its tools. */
record TaskReader(FrameSocketClient fiedler) {
  private static final int PAGE = 200;

  static boolean isFinal(String status) {
    return status.equals("COMPLETED") || status.equals("FAILED");
  }

  /** The full state of one. */
  JsonNode status(String task) {
    return fiedler.call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(task));
  }

  /** All tasks, newest first, without their results. */
  List<JsonNode> all() {
    List<JsonNode> all = new ArrayList<>();
    String before = "null";
    while (!before.isEmpty()) {
      JsonNode page =
          fiedler.call(
              "fiedler_list_tasks",
              "{'kind':'all','limit':%d,'before':%s}".formatted(PAGE, before));
      page.path("tasks").forEach(all::add);
      before = page.path("next").isTextual() ? "'" + page.path("next").asText() + "'" : "";
    }
    return all;
  }

  /** The whole stream of a task, including the final frame. */
  List<JsonNode> frames(String task) {
    List<JsonNode> frames = new ArrayList<>();
    boolean end = false;
    while (!end) {
      JsonNode page =
          fiedler.call(
              "fiedler_get_stream",
              "{'task_id':'%s','from_sequence':%d}".formatted(task, frames.size()));
      int before = frames.size();
      page.path("frames").forEach(frames::add);
      end = page.path("final").asBoolean() || frames.size() == before;
    }
    return frames;
  }
}
