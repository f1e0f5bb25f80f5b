package joshua.thought.langchain;

import java.util.List;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelConfig;

/**
 * Where models come from: one for each name in a configuration, over one HTTP client. Without a
 * provider nothing of LangChain4j is touched.
 */
public final class LangChainModels {
  private LangChainModels() {}

  /** Makes the models; nothing is asked of the server yet. */
  public static LanguageModels open(ModelConfig config, LanguageModels.Patience patience) {
    if (config.provider() == ModelProvider.NONE) {
      return LanguageModels.none();
    }
    ModelTransport modelTransport = new ModelTransport(config.limits().connect(), patience.time());
    List<LanguageModel> models =
        config.names().stream()
            .<LanguageModel>map(name -> new LangChainModel(config, name, modelTransport))
            .toList();
    return new LanguageModels(config.limits(), models, patience, modelTransport::close);
  }
}
