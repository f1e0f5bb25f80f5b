package joshua.rogers.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Role;
import joshua.network.Member;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.StoreException;
import org.jspecify.annotations.Nullable;

/** {@code rogers_get_connections}: who is on the bus (REQ-RG-11, REQ-RG-14). */
public final class ConnectionsTool {
  static final String STATUS = "^(HEALTHY|CONNECTED|STALE|DISCONNECTED)$";

  private static final String SELECT =
      """
      select mad_id, status, cause, why, connected_at, last_heartbeat, via, version, instances,
        strftime('%Y-%m-%dT%H:%M:%fZ', since_at / 1000.0, 'unixepoch') as since_at
      from connections where ?1 is null or status = ?1
      order by case status when 'HEALTHY' then 0 when 'CONNECTED' then 1 when 'STALE' then 2
        else 3 end, mad_id
      """;

  private ConnectionsTool() {}

  /** Which participants. */
  record Input(
      @Member(pattern = STATUS, rule = "must be one of HEALTHY, CONNECTED, STALE, DISCONNECTED")
          @Nullable String status) {}

  /** Participants, those who are well first. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Output(
      String status,
      @Member("mad_id, status, cause, why, connected_at, last_heartbeat, since_at, via, …")
          List<ObjectNode> connections,
      @Member("So many more there is no room for; ask for a status") @Nullable Integer leftOut) {}

  public static Tool<?> of(Database database) {
    return new Tool<>(
        "rogers_get_connections",
        "Who is on the bus",
        "Lists the participants of the bus, each with its state and why it is in it: HEALTHY (beats,"
            + " or a relay speaks for it), CONNECTED (heard, never beat), STALE (silent),"
            + " DISCONNECTED (left, or silent for long).",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) ->
            call.onThreadOfItsOwn(() -> {
              try {
                ArrayNode rows = database.read(tx -> tx.table(SELECT, input.status()));
                rows.forEach(ConnectionsTool::read);
                Fitting fitting = Fitting.of(rows, call);
                return new ToolResult.Success(
                    new Output("success", fitting.rows(), fitting.leftOut()));
              } catch (StoreException e) {
                return new ToolResult.Refused(e.refusal());
              }
            }));
  }

  private static void read(JsonNode row) {
    ObjectNode participant = (ObjectNode) row;
    try {
      participant.set("instances", Json.parse(participant.path("instances").asText()));
    } catch (MalformedJsonException e) {
      throw new IllegalStateException("the instances of " + participant.path("mad_id"), e);
    }
  }
}
