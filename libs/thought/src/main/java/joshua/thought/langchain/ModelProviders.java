package joshua.thought.langchain;

import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder;
import java.util.Map;
import joshua.thought.ModelConfig;

/** The factory of LangChain4j's models, one kind per provider. */
final class ModelProviders {
  /** The key sent to self-hosted servers that need none, for libraries that require one. */
  private static final String NO_KEY = "none";

  private ModelProviders() {}

  static StreamingChatModel streaming(
      ModelConfig config, String name, ModelTransport modelTransport) {
    return switch (config.provider()) {
      case OPENAI -> openAi(config, name, modelTransport);
      case ANTHROPIC -> anthropic(config, name, modelTransport);
      case OLLAMA -> ollama(config, name, modelTransport);
      case NONE -> throw new IllegalArgumentException("no provider, no model");
    };
  }

  /** OpenAI itself requires the newer name of the limit, compatible servers the older one. */
  private static StreamingChatModel openAi(
      ModelConfig config, String name, ModelTransport modelTransport) {
    OpenAiStreamingChatModelBuilder builder =
        OpenAiStreamingChatModel.builder()
            .httpClientBuilder(modelTransport.builder())
            .modelName(name);
    if (config.apiKey().isPresent()) {
      builder.apiKey(config.apiKey().reveal());
    }
    if (config.baseUrl().isPresent()) {
      builder.baseUrl(config.baseUrl().get().toString());
      builder.maxTokens(config.limits().outputTokens());
    } else {
      builder.maxCompletionTokens(config.limits().outputTokens());
    }
    return builder.build();
  }

  private static StreamingChatModel anthropic(
      ModelConfig config, String name, ModelTransport modelTransport) {
    var builder =
        AnthropicStreamingChatModel.builder()
            .httpClientBuilder(modelTransport.builder())
            .modelName(name)
            .apiKey(config.apiKey().isPresent() ? config.apiKey().reveal() : NO_KEY)
            .maxTokens(config.limits().outputTokens());
    config.baseUrl().ifPresent(url -> builder.baseUrl(url.toString()));
    return builder.build();
  }

  /**
   * Ollama's context is about 2 048 tokens unless a larger one is requested. It needs no key
   * itself; a proxy in front of it may.
   */
  private static StreamingChatModel ollama(
      ModelConfig config, String name, ModelTransport modelTransport) {
    var builder =
        OllamaStreamingChatModel.builder()
            .httpClientBuilder(modelTransport.builder())
            .modelName(name)
            .baseUrl(config.baseUrl().map(Object::toString).orElse("http://localhost:11434"))
            .numPredict(config.limits().outputTokens())
            .numCtx(config.limits().contextTokens() + config.limits().outputTokens());
    if (config.apiKey().isPresent()) {
      builder.customHeaders(Map.of("Authorization", "Bearer " + config.apiKey().reveal()));
    }
    return builder.build();
  }
}
