package joshua.testing;

import java.util.Locale;
import java.util.Map;

/** The streaming protocols of the three kinds of model servers, as providers document them. */
public enum ModelDialect {
  OPENAI("/v1", "text/event-stream"),
  ANTHROPIC("/v1", "text/event-stream"),
  OLLAMA("", "application/x-ndjson");

  private static final Map<String, String> ANTHROPIC_REASONS =
      Map.of("stop", "end_turn", "length", "max_tokens", "tool_calls", "tool_use");

  private final String base;
  private final String contentType;

  ModelDialect(String base, String contentType) {
    this.base = base;
    this.contentType = contentType;
  }

  /** The name in settings. */
  public String provider() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The base URL of a server. */
  public String url(ModelServer server) {
    return server.url() + base;
  }

  public String contentType() {
    return contentType;
  }

  /** The events before the first token. */
  public String begin() {
    return switch (this) {
      case OPENAI -> delta("{\"role\":\"assistant\",\"content\":\"\"}", "null");
      case ANTHROPIC ->
          event(
              "message_start",
              "\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}");
      case OLLAMA -> "";
    };
  }

  /** A piece of text. */
  public String text(String text) {
    return switch (this) {
      case OPENAI -> delta("{\"content\":%s}".formatted(quoted(text)), "null");
      case ANTHROPIC -> block("text", "\"text\":\"\"", "text_delta", "text", text);
      case OLLAMA -> line("\"content\":" + quoted(text), "false");
    };
  }

  /** A piece of thought, if the protocol supports it. */
  public String thought(String text) {
    return switch (this) {
      case OPENAI -> delta("{\"reasoning_content\":%s}".formatted(quoted(text)), "null");
      case ANTHROPIC -> block("thinking", "\"thinking\":\"\"", "thinking_delta", "thinking", text);
      case OLLAMA -> line("\"content\":\"\",\"thinking\":" + quoted(text), "false");
    };
  }

  /** The call of a tool. */
  public String tool(String name, String arguments) {
    return switch (this) {
      case OPENAI ->
          delta(
              "{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":%s}}]}"
                  .formatted(quoted(name), quoted(arguments)),
              "null");
      case ANTHROPIC ->
          block(
              "tool_use",
              "\"id\":\"call_1\",\"name\":%s,\"input\":{}".formatted(quoted(name)),
              "input_json_delta",
              "partial_json",
              arguments);
      case OLLAMA ->
          line(
              "\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":%s,\"arguments\":%s}}]"
                  .formatted(quoted(name), arguments),
              "false");
    };
  }

  /** The end of an answer: 7 tokens read, 3 written. */
  public String end(String reason) {
    return switch (this) {
      case OPENAI ->
          delta("{}", quoted(reason))
              + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10}}\n\n"
              + "data: [DONE]\n\n";
      case ANTHROPIC ->
          event(
                  "message_delta",
                  "\"delta\":{\"stop_reason\":%s},\"usage\":{\"output_tokens\":3}"
                      .formatted(quoted(ANTHROPIC_REASONS.getOrDefault(reason, reason))))
              + event("message_stop", "\"x\":0");
      case OLLAMA ->
          line(
              "\"content\":\"\"",
              "true,\"done_reason\":%s,\"prompt_eval_count\":7,\"eval_count\":3"
                  .formatted(quoted(reason.equals("tool_calls") ? "stop" : reason)));
    };
  }

  /** An error in the middle of an answer. */
  public String error(String type, String message) {
    String error = "{\"type\":%s,\"message\":%s}".formatted(quoted(type), quoted(message));
    return switch (this) {
      case OPENAI -> "data: {\"error\":%s}\n\n".formatted(error);
      case ANTHROPIC -> event("error", "\"error\":" + error);
      case OLLAMA -> "{\"error\":%s}\n".formatted(quoted(message));
    };
  }

  /** A whole answer. */
  public ModelServer.Act answer(String... pieces) {
    return exchange -> {
      exchange.open(contentType);
      exchange.chunk(begin());
      for (String piece : pieces) {
        exchange.chunk(text(piece));
      }
      exchange.chunk(end("stop"));
      exchange.end();
    };
  }

  /** An answer of parts that this class makes, which ends for a reason. */
  public ModelServer.Act parts(String reason, String... parts) {
    return exchange -> {
      exchange.open(contentType);
      exchange.chunk(begin() + String.join("", parts) + end(reason));
      exchange.end();
    };
  }

  private static String delta(String delta, String finish) {
    return "data: {\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n"
        .formatted(delta, finish);
  }

  private static String event(String type, String members) {
    return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, members);
  }

  private static String block(
      String type, String members, String deltaType, String member, String text) {
    return event(
            "content_block_start",
            "\"index\":0,\"content_block\":{\"type\":\"%s\",%s}".formatted(type, members))
        + event(
            "content_block_delta",
            "\"index\":0,\"delta\":{\"type\":\"%s\",\"%s\":%s}"
                .formatted(deltaType, member, quoted(text)))
        + event("content_block_stop", "\"index\":0");
  }

  private static String line(String message, String done) {
    return "{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"assistant\",%s},\"done\":%s}\n"
        .formatted(message, done);
  }

  private static String quoted(String text) {
    return "\"%s\""
        .formatted(text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
  }
}
