package joshua.horace.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.RawJson;
import joshua.network.ToolResult;

/** The output of tools, which have more members than this. */
public record Answer(String status) {
  /** A success with these members. */
  public static ToolResult of(ObjectNode members) {
    Answer success = new Answer("success");
    ObjectNode all = Json.object().put("status", success.status).setAll(members);
    return new ToolResult.Success(success, new RawJson(Json.bytes(all)), delivered -> {});
  }

  public static ToolResult refused(ErrorCode code, String sentence) {
    return new ToolResult.Refused(Refusal.of(code, sentence));
  }

  public static ToolResult invalid(String member, String rule) {
    return new ToolResult.Refused(Refusal.invalidInput(member, rule));
  }
}
