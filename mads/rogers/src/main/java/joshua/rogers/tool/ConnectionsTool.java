package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.rogers.store.NamedSql;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.tool.TaskTool;
import org.jspecify.annotations.Nullable;

/** {@code rogers_get_connections}: who is on the bus, in what state, and why (REQ-RG-11). */
public final class ConnectionsTool {
  /** The most participants listed at once. */
  public static final int MOST = 5_000;

  public static final ToolSpec SPEC =
      new ToolSpec(
          "rogers_get_connections",
          "Who is on the bus",
          "Lists the participants that Rogers knows, with the state of each (CONNECTED: seen, but"
              + " never beat; HEALTHY; STALE: silent too long; DISCONNECTED), why it is in that"
              + " state, and when it was last heard.",
          Json.object(
              """
              {"type":"object","additionalProperties":false,"properties":{
                "status":{"enum":["CONNECTED","HEALTHY","STALE","DISCONNECTED",null]}}}\
              """),
          Json.object(
              """
              {"type":"object","required":["status","connections"],"properties":{
                "status":{"const":"success"},
                "connections":{"type":"array","items":{"type":"object","required":["mad_id","status","connected_at","last_heartbeat","why"]}},
                "left_out":{"type":"integer"}}}\
              """),
          new ToolAnnotations(true, false, true, false));

  private static final NamedSql LIST =
      NamedSql.of(
          """
          select mad_id, status, connected_at, last_heartbeat, why, status_since, has_beaten,
                 interval_s, busy_until, version, via, instances,
                 count(*) over () - :limit as beyond
          from connections where :status is null or status = :status
          order by mad_id limit :limit
          """);

  private ConnectionsTool() {}

  public static Tool on(Database database) {
    return new TaskTool(
        SPEC,
        call -> {
          JsonNode status = call.input().path("status");
          return new ToolResult.Success(
              list(database, status.isTextual() ? status.asText() : null));
        });
  }

  static ObjectNode list(Database database, @Nullable String status)
      throws StoreUnavailableException, InterruptedException {
    ArrayNode rows = LIST.rows(database, name -> name.equals("limit") ? MOST : status);
    int beyond = 0;
    for (JsonNode each : rows) {
      ObjectNode row = (ObjectNode) each;
      beyond = Math.max(beyond, row.path("beyond").asInt());
      row.remove("beyond");
      row.put("has_beaten", row.path("has_beaten").asInt() != 0);
      row.set("instances", list(row.path("instances").asText()));
    }
    ObjectNode answer = Json.object().put("status", "success");
    answer.set("connections", rows);
    return beyond > 0 ? answer.put("left_out", beyond) : answer;
  }

  private static JsonNode list(String json) {
    try {
      return Json.parse(json);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalStateException("a list of instances that isn't JSON", e);
    }
  }
}
