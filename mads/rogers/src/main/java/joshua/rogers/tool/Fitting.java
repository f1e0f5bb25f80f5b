package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.ToolCall;
import org.jspecify.annotations.Nullable;

/**
 * The rows for which an answer has room.
 *
 * @param leftOut how many others there are; null for none
 */
record Fitting(List<ObjectNode> rows, @Nullable Integer leftOut) {
  private static final int MOST = 2 * 1024 * 1024;
  private static final int BESIDE = 1_000;

  static Fitting of(ArrayNode all, ToolCall call) {
    int room = Math.min(call.context().comfortableBytes(), MOST) - BESIDE;
    List<ObjectNode> rows = new ArrayList<>();
    for (JsonNode row : all) {
      room -= Json.bytes(row).length + 1;
      if (room < 0 && !rows.isEmpty()) {
        break;
      }
      rows.add((ObjectNode) row);
    }
    int left = all.size() - rows.size();
    return new Fitting(rows, left == 0 ? null : left);
  }
}
