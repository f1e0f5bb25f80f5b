package joshua.thought.langchain;

import java.util.List;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelConfig;

/**
 * The factory of models: one for each name in a configuration, sharing one HTTP client. Without a
 * provider no class of LangChain4j is loaded.
 */
public final class LangChainModels {
  private LangChainModels() {}

  /** Creates the models; no request is sent yet. */
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
