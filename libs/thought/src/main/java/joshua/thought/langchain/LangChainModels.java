package joshua.thought.langchain;

import java.util.List;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.thought.Model;
import joshua.thought.ModelConfig;
import joshua.thought.Models;

/**
 * Where models come from: one for each name in a configuration, over one HTTP client. Without a
 * provider nothing of LangChain4j is touched.
 */
public final class LangChainModels {
  private LangChainModels() {}

  /** Makes the models; nothing is asked of the server yet. */
  public static Models open(ModelConfig config, Models.Patience patience) {
    if (config.provider() == ModelProvider.NONE) {
      return Models.none();
    }
    Transport transport = new Transport(config.limits().connect(), patience.time());
    List<Model> models =
        config.names().stream()
            .<Model>map(name -> new LangChainModel(config, name, transport))
            .toList();
    return new Models(config.limits(), models, patience, transport::close);
  }
}
