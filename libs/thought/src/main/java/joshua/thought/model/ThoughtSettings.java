package joshua.thought.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How a service thinks: by the models that all services share, or by those of a block of its own,
 * which replaces the shared one whole. So no key goes to a server that it isn't for.
 */
public final class ThoughtSettings {
  private static final String SHARED = "JOSHUA_MODEL_";

  @Mixin private ModelSettings shared = new ModelSettings();
  private final Own own = new Own();
  private final String service;

  public ThoughtSettings(String service) {
    this.service = service;
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
    List<String> problems = own.model.problems(ownPrefix());
    return problems.isEmpty() && !own.model.namesProvider() ? shared.problems(SHARED) : problems;
  }

  /** The models that the service asks. */
  public ModelConfig model() {
    return own.model.namesProvider() ? own.model.config(ownPrefix()) : shared.config(SHARED);
  }

  private String ownPrefix() {
    return "JOSHUA_%s_MODEL_".formatted(service.toUpperCase(Locale.ROOT));
  }

  /**
   * What the model is told first (REQ-ADD-02): a file, or {@code IMPERATOR.md} beside a class.
   *
   * @throws IOException with a sentence for the user
   */
  public String imperator(Class<?> beside) throws IOException {
    if (own.imperatorFile != null) {
      try {
        return Files.readString(own.imperatorFile);
      } catch (IOException e) {
        throw new IOException(
            "The imperator file %s can't be read (%s)."
                .formatted(own.imperatorFile, e.getClass().getSimpleName()),
            e);
      }
    }
    try (InputStream text = beside.getResourceAsStream("IMPERATOR.md")) {
      if (text == null) {
        throw new IllegalArgumentException("there is no IMPERATOR.md beside " + beside);
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
