package joshua.tasks.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/**
 * Truncates evidence to the space that the rest of a {@code result_payload} leaves, so that an
 * answer already streamed never fails because of its evidence.
 */
final class EvidenceTruncator {
  private static final String EVIDENCE = "evidence";
  private static final String ROWS = "rows";
  private static final int COMMA = 1;

  private EvidenceTruncator() {}

  /**
   * Returns the result unchanged if it is within the limit; otherwise with the first rows of its
   * evidence, and a remark that says so. The returned result exceeds the limit only if it would do
   * so without any evidence.
   *
   * @param limit in bytes, encoded
   */
  static ObjectNode within(long limit, ObjectNode result) {
    JsonNode evidence = result.path(EVIDENCE);
    if (!evidence.isArray() || size(result) <= limit) {
      return result;
    }
    int all = rows(evidence);
    ArrayNode none = Json.shared().createArrayNode();
    ObjectNode least = with(none, remark(all, all), result);
    if (size(least) > limit) {
      ObjectNode without = Json.object();
      without.setAll(result);
      without.set(EVIDENCE, none);
      return without;
    }
    ArrayNode first = first(limit - size(least), evidence);
    return with(first, remark(rows(first), all), result);
  }

  private static ArrayNode first(long bytes, JsonNode evidence) {
    ArrayNode first = Json.shared().createArrayNode();
    long left = bytes;
    for (JsonNode each : evidence) {
      ObjectNode looked = Json.object();
      each.properties().forEach(member -> looked.set(member.getKey(), member.getValue()));
      ArrayNode kept = looked.putArray(ROWS);
      left -= size(looked) + COMMA;
      if (left < 0) {
        return first;
      }
      first.add(looked);
      for (JsonNode row : each.path(ROWS)) {
        left -= size(row) + COMMA;
        if (left < 0) {
          return first;
        }
        kept.add(row);
      }
    }
    return first;
  }

  private static int rows(JsonNode evidence) {
    return evidence.valueStream().mapToInt(each -> each.path(ROWS).size()).sum();
  }

  private static String remark(int kept, int all) {
    return "Of %d rows that were looked up the first %d are kept as evidence: a result has no room for more (JOSHUA_TASKS_RESULT_LIMIT)."
        .formatted(all, kept);
  }

  private static ObjectNode with(ArrayNode evidence, String remark, ObjectNode result) {
    ObjectNode changed = Json.object();
    changed.setAll(result);
    changed.set(EVIDENCE, evidence);
    ArrayNode remarks = changed.putArray("remarks");
    result.path("remarks").forEach(remarks::add);
    remarks.add(remark);
    return changed;
  }

  private static long size(JsonNode node) {
    return Json.bytes(node).length;
  }
}
