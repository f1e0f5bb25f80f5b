package joshua.app;

import java.nio.file.Path;
import joshua.embeddings.MiniLm;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.thought.reading.Embedder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedding model by which questions in plain words are read, one for the whole process. It is
 * loaded at the first question. Where the module joshua-embeddings has been left out there is none,
 * and such questions are passed on.
 */
final class Meanings {
  private static final Logger log = LoggerFactory.getLogger(Meanings.class);

  private Meanings() {}

  static Embedder of(Settings settings) {
    Path natives = settings.get(KnownSettings.DATA_DIR).resolve("native");
    try {
      MiniLm model = new MiniLm(natives);
      return model::embed;
    } catch (NoClassDefFoundError e) {
      log.info("this build has no embedding model: questions in plain words are passed on");
      return _ -> {
        throw new IllegalStateException("this build has no embedding model");
      };
    }
  }
}
