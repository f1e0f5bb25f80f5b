package joshua.thought.langchain;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.Map;
import joshua.thought.model.ModelConfig;

/** LangChain4j's models, one kind for each provider. Thoughts are passed on, as signs of life. */
final class ModelProviders {
  private ModelProviders() {}

  static StreamingChatModel model(ModelConfig config, String name, HttpClientBuilder http) {
    return switch (config.provider()) {
      case OPENAI -> openAi(config, name, http);
      case ANTHROPIC -> {
        var builder =
            AnthropicStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .apiKey(config.key().orElse("none")) // servers of one's own may need none
                .maxTokens(config.outputTokens())
                .returnThinking(true);
        config.baseUrl().ifPresent(url -> builder.baseUrl(url.toString()));
        yield builder.build();
      }
      case OLLAMA -> {
        var builder =
            OllamaStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .baseUrl(config.baseUrl().map(Object::toString).orElse("http://localhost:11434"))
                .returnThinking(true)
                .numPredict(config.outputTokens())
                .numCtx(config.contextTokens() + config.outputTokens()); // it takes 2 048 otherwise
        config
            .key() // of a proxy before it
            .ifPresent(key -> builder.customHeaders(Map.of("Authorization", "Bearer " + key)));
        yield builder.build();
      }
      case NONE -> throw new IllegalArgumentException("there is no model");
    };
  }

  /** OpenAI itself wants the newer name of the limit, compatible servers the older one. */
  private static StreamingChatModel openAi(
      ModelConfig config, String name, HttpClientBuilder http) {
    var builder =
        OpenAiStreamingChatModel.builder()
            .httpClientBuilder(http)
            .modelName(name)
            .returnThinking(true);
    config.key().ifPresent(builder::apiKey);
    if (config.baseUrl().isPresent()) {
      builder.baseUrl(config.baseUrl().get().toString()).maxTokens(config.outputTokens());
    } else {
      builder.maxCompletionTokens(config.outputTokens());
    }
    return builder.build();
  }
}
