package joshua.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings.ModelProvider;

/** The protocols of the three kinds of model servers, as documented by their providers. */
public enum ModelDialect {
  OPENAI(ModelProvider.OPENAI, "/v1", "/v1/chat/completions", "text/event-stream") {
    @Override
    public String begin() {
      return chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null");
    }

    @Override
    public String token(String text) {
      return chunk("{\"content\":%s}".formatted(quoted(text)), "null");
    }

    @Override
    public String tool(String name, String arguments) {
      return chunk(
              "{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":\"\"}}]}"
                  .formatted(quoted(name)),
              "null")
          + chunk(
              "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":%s}}]}"
                  .formatted(quoted(arguments)),
              "null");
    }

    @Override
    public String end(String reason) {
      return chunk("{}", quoted(reason))
          + "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10}}\n\n"
          + "data: [DONE]\n\n";
    }

    @Override
    public String error(String type, String message) {
      return "data: {\"error\":{\"message\":%s,\"type\":%s,\"param\":null,\"code\":null}}\n\n"
          .formatted(quoted(message), quoted(type));
    }

    private String chunk(String delta, String finish) {
      return "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"test-model\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n"
          .formatted(delta, finish);
    }

    @Override
    public String reason(String openAiReason) {
      return openAiReason;
    }
  },
  ANTHROPIC(ModelProvider.ANTHROPIC, "/v1", "/v1/messages", "text/event-stream") {
    @Override
    public String begin() {
      return event(
              "message_start",
              "\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"test-model\",\"stop_reason\":null,\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}")
          + event(
              "content_block_start",
              "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}");
    }

    @Override
    public String token(String text) {
      return event(
          "content_block_delta",
          "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%s}".formatted(quoted(text)));
    }

    @Override
    public String tool(String name, String arguments) {
      return event("content_block_stop", "\"index\":0")
          + event(
              "content_block_start",
              "\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"call_1\",\"name\":%s,\"input\":{}}"
                  .formatted(quoted(name)))
          + event(
              "content_block_delta",
              "\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}"
                  .formatted(quoted(arguments)))
          + event("content_block_stop", "\"index\":1");
    }

    @Override
    public String end(String reason) {
      String close = reason.equals("tool_use") ? "" : event("content_block_stop", "\"index\":0");
      return close
          + event(
              "message_delta",
              "\"delta\":{\"stop_reason\":%s,\"stop_sequence\":null},\"usage\":{\"output_tokens\":3}"
                  .formatted(quoted(reason)))
          + event("message_stop", "\"x\":0");
    }

    @Override
    public String error(String type, String message) {
      return event(
          "error",
          "\"error\":{\"type\":%s,\"message\":%s}".formatted(quoted(type), quoted(message)));
    }

    private String event(String type, String members) {
      return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, members);
    }

    @Override
    public String reason(String openAiReason) {
      return switch (openAiReason) {
        case "stop" -> "end_turn";
        case "length" -> "max_tokens";
        default -> "tool_use";
      };
    }
  },
  OLLAMA(ModelProvider.OLLAMA, "", "/api/chat", "application/x-ndjson") {
    @Override
    public String begin() {
      return "";
    }

    @Override
    public String token(String text) {
      return line("{\"role\":\"assistant\",\"content\":%s}".formatted(quoted(text)), "false");
    }

    @Override
    public String tool(String name, String arguments) {
      return line(
          "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":%s,\"arguments\":%s}}]}"
              .formatted(quoted(name), arguments),
          "false");
    }

    @Override
    public String end(String reason) {
      return line(
          "{\"role\":\"assistant\",\"content\":\"\"}",
          "true,\"done_reason\":%s,\"prompt_eval_count\":7,\"eval_count\":3"
              .formatted(quoted(reason)));
    }

    @Override
    public String error(String type, String message) {
      return "{\"error\":%s}\n".formatted(quoted(message));
    }

    private String line(String message, String done) {
      return "{\"model\":\"test-model\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":%s,\"done\":%s}\n"
          .formatted(message, done);
    }

    @Override
    public String reason(String openAiReason) {
      return openAiReason.equals("tool_calls") ? "stop" : openAiReason;
    }
  };

  public final ModelProvider provider;
  public final String base;
  public final String path;
  public final String contentType;

  ModelDialect(ModelProvider provider, String base, String path, String contentType) {
    this.provider = provider;
    this.base = base;
    this.path = path;
    this.contentType = contentType;
  }

  /** What the server sends before the first token. */
  public abstract String begin();

  public abstract String token(String text);

  public abstract String tool(String name, String arguments);

  public abstract String end(String reason);

  /** What the server sends when it fails during an answer that began normally. */
  public abstract String error(String type, String message);

  /** The provider's word for {@code stop}, {@code length}, {@code tool_calls}. */
  public abstract String reason(String openAiReason);

  /** A complete answer. */
  public ScriptedModelServer.Act answer(String... tokens) {
    return exchange -> {
      exchange.open(contentType);
      exchange.chunk(begin());
      for (String token : tokens) {
        exchange.chunk(token(token));
      }
      exchange.chunk(end(reason("stop")));
      exchange.end();
    };
  }

  public static String quoted(String text) {
    ObjectNode node = Json.object().put("t", text);
    return Json.write(node.get("t"));
  }
}
