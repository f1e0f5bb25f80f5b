package joshua.thought.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import joshua.state.Classpath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The settings of answers by a service: the models that all services share, or a block of its own,
 * which replaces the shared one as a whole, so that no key goes to another server.
 */
public final class AnswerSettings {
  @Mixin private ModelSettings shared = new ModelSettings();
  private final Own own = new Own();
  private final String service;

  public AnswerSettings(String service) {
    this.service = service;
  }

  /** The settings of a service that answers prompts. */
  public interface Owner {
    AnswerSettings answers();
  }

  /** The options whose names begin with the service's. */
  private static final class Own {
    @Mixin private ModelSettings model = new ModelSettings();

    @Option(
        names = "--imperator-file",
        paramLabel = "FILE",
        description = "What the model is told first, instead of the text that ships.")
    private @Nullable Path imperatorFile;
  }

  /** The options to prefix with the service's name. */
  public Object own() {
    return own;
  }

  /** The problems of the settings, in sentences. */
  public List<String> problems() {
    try {
      model();
      return List.of();
    } catch (IllegalArgumentException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /** The service's models; otherwise as {@link ModelSettings#config}. */
  public ModelConfig model() {
    ModelConfig model =
        own.model.config("JOSHUA_%s_MODEL_".formatted(service.toUpperCase(Locale.ROOT)));
    return model.isNone() ? shared.config("JOSHUA_MODEL_") : model;
  }

  /**
   * The instructions for the model (REQ-ADD-02): a file, or {@code IMPERATOR.md} beside a class.
   *
   * @throws IOException with a sentence for the user
   */
  public String imperator(Class<?> beside) throws IOException {
    if (own.imperatorFile == null) {
      return Classpath.read(beside, "IMPERATOR.md");
    }
    try {
      return Files.readString(own.imperatorFile);
    } catch (IOException e) {
      throw new IOException(
          "The imperator file %s can't be read (%s)."
              .formatted(own.imperatorFile, e.getClass().getSimpleName()),
          e);
    }
  }
}
