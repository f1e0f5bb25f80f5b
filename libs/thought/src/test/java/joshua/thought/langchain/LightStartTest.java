package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LightStartTest {
  /** Opens the models of a configuration without a provider; loaded where LangChain4j isn't. */
  public static final class Opening implements Runnable {
    @Override
    public void run() {
      var config =
          new joshua.thought.ModelConfig(
              joshua.kernel.KnownSettings.ModelProvider.NONE,
              List.of(),
              java.util.Optional.empty(),
              joshua.thought.Secret.none(),
              new joshua.thought.ModelLimits(
                  java.time.Duration.ZERO,
                  java.time.Duration.ZERO,
                  java.time.Duration.ZERO,
                  java.time.Duration.ZERO,
                  0,
                  1,
                  1));
      var patience =
          new joshua.thought.LanguageModels.Patience(
              () -> java.time.Instant.EPOCH, () -> 0, pause -> {}, new java.util.Random(1));
      if (!LangChainModels.open(config, patience).list().isEmpty()) {
        throw new IllegalStateException("models without a provider");
      }
    }
  }

  @Test
  void withoutAProviderNothingOfLangChainIsNeeded() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("langchain4j")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    assertThat(urls).isNotEmpty();
    try (URLClassLoader without =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Runnable opening =
          (Runnable)
              without.loadClass(Opening.class.getName()).getDeclaredConstructor().newInstance();
      opening.run();
      assertThat(opening.getClass().getClassLoader()).isSameAs(without);
    }
  }
}
