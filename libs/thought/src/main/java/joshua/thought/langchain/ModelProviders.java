package joshua.thought.langchain;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.Map;
import java.util.Optional;
import joshua.thought.model.ModelConfig;

/** LangChain4j's models, one kind for each provider. Thoughts are passed on, as signs of life. */
final class ModelProviders {
  private ModelProviders() {}

  static StreamingChatModel model(
      ModelConfig config, String name, Optional<String> key, HttpClientBuilder http) {
    return switch (config.provider()) {
      case OPENAI -> {
        var builder =
            OpenAiStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .baseUrl(config.url())
                .apiKey(key.orElse(null))
                .returnThinking(true);
        // OpenAI itself wants the newer name of the limit, compatible servers the older one.
        yield config.baseUrl().isPresent()
            ? builder.maxTokens(config.outputTokens()).build()
            : builder.maxCompletionTokens(config.outputTokens()).build();
      }
      case ANTHROPIC ->
          AnthropicStreamingChatModel.builder()
              .httpClientBuilder(http)
              .modelName(name)
              .baseUrl(config.url())
              .apiKey(key.orElse("none")) // servers of one's own may need none
              .maxTokens(config.outputTokens())
              .returnThinking(true)
              .build();
      case OLLAMA -> {
        var builder =
            OllamaStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .baseUrl(config.url())
                .returnThinking(true)
                .numPredict(config.outputTokens())
                .numCtx(config.contextTokens() + config.outputTokens()); // it takes 2 048 otherwise
        key.map(proxys -> Map.of("Authorization", "Bearer " + proxys))
            .ifPresent(builder::customHeaders);
        yield builder.build();
      }
      case NONE -> throw new IllegalArgumentException("there is no model");
    };
  }
}
