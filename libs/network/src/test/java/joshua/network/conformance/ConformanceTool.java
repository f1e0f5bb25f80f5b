package joshua.network.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** A tool as the conformance suite wants one: a name, a schema and what it does. */
record ConformanceTool(ToolSpec spec, Behaviour behaviour) implements Tool {

  /** The behaviour of a fixture; may block. */
  @FunctionalInterface
  interface Behaviour {
    ToolResult run(ToolCall call) throws InterruptedException;
  }

  static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

  static final String WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

  @Override
  public Answer begin(ToolCall call) {
    return () -> behaviour.run(call);
  }

  static ConformanceTool tool(String name, Behaviour behaviour) {
    return tool(name, "{\"type\":\"object\"}", behaviour);
  }

  static ConformanceTool tool(String name, String schema, Behaviour behaviour) {
    return new ConformanceTool(
        new ToolSpec(
            name,
            name,
            "A fixture of the conformance suite.",
            json(schema),
            null,
            new ToolAnnotations(false, false, false, false)),
        behaviour);
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) Json.parse(text);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static ToolResult text(String text) {
    return content(Json.object().put("type", "text").put("text", text));
  }

  static ToolResult content(ObjectNode... blocks) {
    return new ToolResult.Success(Json.object(), List.of(blocks), Optional.empty());
  }

  static ObjectNode textBlock(String text) {
    return Json.object().put("type", "text").put("text", text);
  }

  static ObjectNode media(String type, String mimeType, String base64) {
    return Json.object().put("type", type).put("data", base64).put("mimeType", mimeType);
  }

  static ObjectNode resource(String uri, String mimeType, String text) {
    ObjectNode block = Json.object().put("type", "resource");
    block.putObject("resource").put("uri", uri).put("mimeType", mimeType).put("text", text);
    return block;
  }
}
