package joshua.thought.langchain;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.thought.ModelMessage;
import joshua.thought.ModelRequest;
import joshua.thought.QuerySpec;
import joshua.thought.ToolRequest;

/** Converts our requests to LangChain4j's. */
final class ModelMessages {
  private ModelMessages() {}

  static List<ChatMessage> of(ModelRequest request) {
    List<ChatMessage> messages = new ArrayList<>();
    if (!request.system().isBlank()) {
      messages.add(SystemMessage.from(request.system()));
    }
    request.messages().forEach(message -> messages.add(message(message)));
    return messages;
  }

  private static ChatMessage message(ModelMessage message) {
    return switch (message) {
      case ModelMessage.User user -> UserMessage.from(user.text());
      case ModelMessage.Assistant assistant -> assistant(assistant);
      case ModelMessage.ToolResult result ->
          ToolExecutionResultMessage.builder()
              .id(result.request().id())
              .toolName(result.request().name())
              .text(result.text())
              .isError(result.failed())
              .build();
    };
  }

  private static ChatMessage assistant(ModelMessage.Assistant assistant) {
    AiMessage.Builder message = AiMessage.builder();
    if (!assistant.text().isEmpty()) {
      message.text(assistant.text());
    }
    if (!assistant.toolRequests().isEmpty()) {
      message.toolExecutionRequests(
          assistant.toolRequests().stream().map(ModelMessages::toolRequest).toList());
    }
    return message.build();
  }

  private static ToolExecutionRequest toolRequest(ToolRequest request) {
    return ToolExecutionRequest.builder()
        .id(request.id())
        .name(request.name())
        .arguments(request.arguments())
        .build();
  }

  static ToolSpecification tool(QuerySpec spec) {
    JsonObjectSchema.Builder parameters = JsonObjectSchema.builder().additionalProperties(false);
    var schema = spec.argumentsSchema();
    schema
        .path("properties")
        .propertyStream()
        .forEach(member ->
            parameters.addProperty(
                member.getKey(), JsonRawSchema.from(Json.write(member.getValue()))));
    parameters.required(schema.path("required").valueStream().map(name -> name.asText()).toList());
    return ToolSpecification.builder()
        .name(spec.name())
        .description(spec.meaning())
        .parameters(parameters.build())
        .build();
  }
}
