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
 * How a service thinks: by the models that all services share, or by those of a block of its own,
 * which replaces the shared one whole. So no key goes to a server that it isn't for.
 */
public final class ThoughtSettings {
  @Mixin private ModelSettings shared = new ModelSettings();
  private final Own own = new Own();
  private final String service;

  public ThoughtSettings(String service) {
    this.service = service;
  }

  /** The settings of a service that thinks. */
  public interface Owner {
    ThoughtSettings thought();
  }

  /** Settings whose names begin with that of the service. */
  private static final class Own {
    @Mixin private ModelSettings model = new ModelSettings();

    @Option(
        names = "--imperator-file",
        paramLabel = "FILE",
        description = "What the model is told first, instead of the text that ships.")
    private @Nullable Path imperatorFile;
  }

  /** Options that get the service's name before their own. */
  public Object own() {
    return own;
  }

  /** What is wrong, in sentences. */
  public List<String> problems() {
    try {
      model();
      return List.of();
    } catch (IllegalArgumentException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /** The models that the service asks; otherwise as {@link ModelSettings#config}. */
  public ModelConfig model() {
    ModelConfig model =
        own.model.config("JOSHUA_%s_MODEL_".formatted(service.toUpperCase(Locale.ROOT)));
    return model.isNone() ? shared.config("JOSHUA_MODEL_") : model;
  }

  /**
   * What the model is told first (REQ-ADD-02): a file, or {@code IMPERATOR.md} beside a class.
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
