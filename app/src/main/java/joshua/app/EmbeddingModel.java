package joshua.app;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import joshua.embeddings.MiniLm;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.thought.reading.TextEmbedder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedding model that reads plain-language questions, one for the whole process. It is loaded
 * at the first question. If the module joshua-embeddings has been left out there is none, and such
 * questions are passed on.
 */
final class EmbeddingModel {
  private static final Logger log = LoggerFactory.getLogger(EmbeddingModel.class);

  private static final Map<Path, MiniLm> MODELS = new ConcurrentHashMap<>();

  private EmbeddingModel() {}

  static TextEmbedder of(Settings settings, InstantSource time) {
    Path natives = settings.get(KnownSettings.DATA_DIR).resolve("native");
    try {
      return MODELS.computeIfAbsent(natives, path -> new MiniLm(path, time))::embed;
    } catch (NoClassDefFoundError e) {
      log.info("this build has no embedding model: questions in plain words are passed on");
      return _ -> {
        throw new IllegalStateException("this build has no embedding model");
      };
    }
  }
}
