package joshua.network.mcp;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.AnswerTurns;
import joshua.network.ToolAnnotations;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** The JSON shapes of results, in both eras. */
final class ResultShapes {
  /** How long clients may cache lists that are the same for every caller. */
  static final long LIST_TTL_MILLIS = 60_000;

  private final ObjectNode serverInfo;

  ResultShapes(McpService service) {
    serverInfo =
        Json.object()
            .put("name", service.name())
            .put("title", service.title())
            .put("version", service.version());
  }

  ObjectNode serverInfo() {
    return serverInfo;
  }

  /** A result as it is sent: for clients that expect them, with its type and the server's name. */
  ObjectNode complete(ObjectNode result, RequestMeta meta) {
    return typed("complete", result, meta);
  }

  ObjectNode typed(String type, ObjectNode result, RequestMeta meta) {
    if (!meta.isModern()) {
      return result;
    }
    ObjectNode typed = Json.object().put("resultType", type);
    typed.setAll(result);
    typed.withObject("_meta").set(RequestMeta.SERVER_INFO, serverInfo);
    return typed;
  }

  /** A result that may be cached for a time, by all or by the caller alone. */
  ObjectNode cacheable(ObjectNode result, long ttlMillis, boolean byAll, RequestMeta meta) {
    if (meta.isModern()) {
      result.put("ttlMs", ttlMillis).put("cacheScope", byAll ? "public" : "private");
    }
    return complete(result, meta);
  }

  /** MCP's {@code CallToolResult}. */
  static ObjectNode call(ToolResult result) {
    return switch (result) {
      case ToolResult.Success success -> success(success);
      case ToolResult.Refused(Refusal refusal) -> refused(refusal);
    };
  }

  private static ObjectNode success(ToolResult.Success success) {
    ObjectNode call = Json.object();
    ArrayNode content = call.putArray("content");
    if (success.isLarge() && success.rawBytes() <= ToolResult.MAX_CHARACTERS / 2) {
      content.addObject().put("type", "text").putPOJO("text", new OutputText(success.output()));
    } else if (success.content().isEmpty()) {
      String text = Json.write(success.output());
      if (text.length() > ToolResult.MAX_CHARACTERS) {
        return refused(ToolResult.tooLarge());
      }
      content.addObject().put("type", "text").put("text", text);
    } else {
      content.addAll(success.content());
    }
    if (!success.output().isEmpty()) {
      call.set("structuredContent", success.output());
    }
    return call;
  }

  /** Whether it holds an output so large that it is to be written in {@link AnswerTurns}. */
  static boolean isLarge(ObjectNode message) {
    return message.path("result").path("content").path(0).path("text").isPojo();
  }

  /** A large output as text: made when it is written, and not held beside the output. */
  private record OutputText(ObjectNode output) implements JsonSerializable {
    @Override
    public void serialize(JsonGenerator generator, SerializerProvider provider) throws IOException {
      generator.writeString(Json.write(output));
    }

    @Override
    public void serializeWithType(
        JsonGenerator generator, SerializerProvider provider, TypeSerializer types)
        throws IOException {
      serialize(generator, provider);
    }
  }

  /**
   * The refusal as text, and as an object in {@code _meta}. There is no structured content: clients
   * check that against the tool's output schema, and show a mismatch in place of the error.
   */
  static ObjectNode refused(Refusal refusal) {
    ObjectNode call = Json.object();
    call.putArray("content").addObject().put("type", "text").put("text", text(refusal));
    call.put("isError", true).putObject("_meta").set(ToolResult.ERROR_META, refusal.tree());
    return call;
  }

  /** Begins with the code; the members that the error has besides are a line of JSON. */
  private static String text(Refusal refusal) {
    String sentence = refusal.code().wireName() + ": " + refusal.message();
    if (refusal.details().isEmpty()) {
      return sentence;
    }
    ObjectNode details = Json.object();
    refusal.details().forEach(details::set);
    return sentence + "\n" + Json.write(details);
  }

  /** MCP's {@code Tool}. */
  static ObjectNode tool(ToolSpec spec) {
    ObjectNode tool = Json.object().put("name", spec.name()).put("title", spec.title());
    tool.put("description", spec.description()).set("inputSchema", spec.inputSchema());
    ObjectNode output = spec.outputSchema();
    if (output != null) {
      tool.set("outputSchema", output);
    }
    ToolAnnotations toolAnnotations = spec.hints();
    tool.putObject("annotations")
        .put("title", spec.title())
        .put("readOnlyHint", toolAnnotations.readOnly())
        .put("destructiveHint", toolAnnotations.destructive())
        .put("idempotentHint", toolAnnotations.idempotent())
        .put("openWorldHint", toolAnnotations.openWorld());
    return tool;
  }
}
