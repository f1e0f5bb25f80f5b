package joshua.network.conformance;

import static joshua.network.conformance.ConformanceTool.content;
import static joshua.network.conformance.ConformanceTool.media;
import static joshua.network.conformance.ConformanceTool.resource;
import static joshua.network.conformance.ConformanceTool.text;
import static joshua.network.conformance.ConformanceTool.textBlock;
import static joshua.network.conformance.ConformanceTool.tool;

import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.TimedWait;
import joshua.network.CallContext;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.mcp.ChangeNotifier;

/** The fixtures that answer and report, and ask nothing. */
final class PlainFixtures {
  private static final Duration STEP = Duration.ofMillis(50);

  private static final String SCHEMA_2020_12 =
      """
      {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
       "$defs":{"address":{"$anchor":"addressDef","type":"object",
         "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
       "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
         "contactMethod":{"type":"string","enum":["phone","email"]},
         "phone":{"type":"string"},"email":{"type":"string"}},
       "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
       "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
       "then":{"required":["phone"]},"else":{"required":["email"]},
       "additionalProperties":false}
      """;

  private PlainFixtures() {}

  static List<Tool> all(ChangeNotifier changeNotifier, TimedWait timedWait) {
    return List.of(
        tool("test_simple_text", call -> text("This is a simple text response for testing.")),
        tool(
            "test_image_content",
            call -> content(media("image", "image/png", ConformanceTool.PNG))),
        tool(
            "test_audio_content",
            call -> content(media("audio", "audio/wav", ConformanceTool.WAV))),
        tool(
            "test_embedded_resource",
            call ->
                content(
                    resource(
                        "test://embedded-resource",
                        "text/plain",
                        "This is an embedded resource content."))),
        tool(
            "test_multiple_content_types",
            call ->
                content(
                    textBlock("Multiple content types test:"),
                    media("image", "image/png", ConformanceTool.PNG),
                    resource(
                        "test://mixed-content-resource",
                        "application/json",
                        "{\"test\":\"data\",\"value\":123}"))),
        tool("test_error_handling", call -> failed()),
        tool("test_tool_with_logging", call -> logging(call, timedWait)),
        tool("test_logging_tool", call -> logging(call, timedWait)),
        tool("test_tool_with_progress", call -> progress(call, timedWait)),
        tool(
            "test_trigger_tool_change",
            call -> {
              changeNotifier.toolsChanged();
              return text("Told that tools have changed.");
            }),
        tool(
            "test_trigger_prompt_change",
            call -> {
              changeNotifier.promptsChanged();
              return text("Told that prompts have changed.");
            }),
        tool(
            "greet",
            "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}",
            call -> text("Hello, " + call.input().path("name").asText() + "!")),
        tool(
            "test_x_mcp_header",
            """
            {"type":"object","properties":{
              "region":{"type":"string","x-mcp-header":"Region"},
              "query":{"type":"string"},
              "priority":{"type":"integer","x-mcp-header":"Priority"},
              "verbose":{"type":"boolean","x-mcp-header":"Verbose"}}}
            """,
            call -> text("Region: " + call.input().path("region").asText())),
        tool("json_schema_2020_12_tool", SCHEMA_2020_12, call -> text("ok")));
  }

  private static ToolResult failed() {
    return new ToolResult.Refused(
        Refusal.of(ErrorCode.CONFLICT, "This tool intentionally returns an error for testing"));
  }

  private static ToolResult logging(ToolCall call, TimedWait timedWait)
      throws InterruptedException {
    for (String message :
        List.of("Tool execution started", "Tool processing data", "Tool execution completed")) {
      call.peer().log(CallContext.Level.INFO, "fixture", TextNode.valueOf(message));
      timedWait.pause(STEP);
    }
    return text("Logged three messages.");
  }

  private static ToolResult progress(ToolCall call, TimedWait timedWait)
      throws InterruptedException {
    for (int done = 0; done <= 100; done += 50) {
      call.peer().progress(done, OptionalDouble.of(100), "");
      timedWait.pause(STEP);
    }
    return text("Went from 0 to 100.");
  }
}
