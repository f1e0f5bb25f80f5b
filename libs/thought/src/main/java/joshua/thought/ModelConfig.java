package joshua.thought;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.KnownSettings;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/**
 * Which models a MAD asks, and how (REQ-FD-01); {@code JOSHUA_FIEDLER_MODEL_…} goes before {@code
 * JOSHUA_MODEL_…}.
 *
 * @param names the models, the Imperator's first; empty where there is no provider
 * @param baseUrl the provider's own address where it is empty
 */
public record ModelConfig(
    ModelProvider provider,
    List<String> names,
    Optional<URI> baseUrl,
    Secret apiKey,
    ModelLimits limits) {
  /** So many models can be named. */
  public static final int MAX_NAMES = 20;

  /** An API key that is read from a file is no longer than this. */
  private static final int LONGEST_KEY = 16_384;

  /** What tells somebody without a model how to get one (+FD-12). */
  public static final String HOW_TO_CONFIGURE =
      "Set JOSHUA_MODEL_PROVIDER to openai, anthropic or ollama, JOSHUA_MODEL_NAME, and"
          + " JOSHUA_MODEL_API_KEY_FILE where the provider wants a key (JOSHUA_MODEL_BASE_URL for a"
          + " server of your own), then start again.";

  public ModelConfig {
    names = List.copyOf(names);
    if (names.isEmpty() != (provider == ModelProvider.NONE)) {
      throw new IllegalArgumentException("a provider needs models, and models need a provider");
    }
  }

  /** What must be in no log and no error. */
  public List<String> secrets() {
    return apiKey.isPresent() ? List.of(apiKey.reveal()) : List.of();
  }

  /** The provider as settings name it. */
  public String providerName() {
    return provider.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what {@code mad} goes by.
   *
   * @throws Settings.Invalid with everything that is wrong
   */
  public static ModelConfig from(Settings settings, String mad) throws Settings.Invalid {
    return new Reading(settings, mad).config();
  }

  /** One reading: what is wrong is collected, and reported together. */
  private record Reading(Settings settings, String mad, List<String> problems) {
    Reading(Settings settings, String mad) {
      this(settings, mad, new ArrayList<>());
    }

    private <T> Optional<T> find(Setting<T> setting) {
      return settings.find(KnownSettings.of(mad, setting)).or(() -> settings.find(setting));
    }

    private <T> T get(Setting<T> setting) {
      return find(setting).orElseThrow();
    }

    ModelConfig config() throws Settings.Invalid {
      ModelProvider provider = get(KnownSettings.MODEL_PROVIDER);
      if (provider == ModelProvider.NONE) {
        return new ModelConfig(provider, List.of(), Optional.empty(), Secret.none(), limits());
      }
      List<String> names = names();
      Optional<URI> baseUrl = baseUrl();
      Optional<String> key = key();
      if (provider != ModelProvider.OLLAMA && key.isEmpty() && baseUrl.isEmpty()) {
        problems.add(
            "%s is %s, which wants a key: set %s to a file that holds it"
                .formatted(
                    KnownSettings.MODEL_PROVIDER.environmentName(),
                    provider.name().toLowerCase(Locale.ROOT),
                    KnownSettings.MODEL_API_KEY_FILE.environmentName()));
      }
      if (!problems.isEmpty()) {
        throw new Settings.Invalid(problems);
      }
      return new ModelConfig(
          provider, names, baseUrl, key.map(Secret::new).orElse(Secret.none()), limits());
    }

    private ModelLimits limits() {
      return new ModelLimits(
          seconds(KnownSettings.MODEL_CONNECT_TIMEOUT),
          seconds(KnownSettings.MODEL_FIRST_TOKEN_TIMEOUT),
          seconds(KnownSettings.MODEL_TOKEN_GAP_TIMEOUT),
          seconds(KnownSettings.MODEL_ANSWER_TIMEOUT),
          get(KnownSettings.MODEL_RETRIES),
          get(KnownSettings.MODEL_OUTPUT_TOKENS),
          get(KnownSettings.MODEL_CONTEXT_TOKENS));
    }

    private Duration seconds(Setting<Integer> setting) {
      return Duration.ofSeconds(get(setting));
    }

    private List<String> names() {
      List<String> names =
          Arrays.stream(find(KnownSettings.MODEL_NAME).orElse("").split(",", -1))
              .map(String::strip)
              .filter(name -> !name.isEmpty())
              .distinct()
              .toList();
      if (names.isEmpty()) {
        problems.add(
            "%s is set, and %s isn't: name the model to ask"
                .formatted(
                    KnownSettings.MODEL_PROVIDER.environmentName(),
                    KnownSettings.MODEL_NAME.environmentName()));
      } else if (names.size() > MAX_NAMES) {
        problems.add(
            "%s names %d models; at most %d can be named"
                .formatted(KnownSettings.MODEL_NAME.environmentName(), names.size(), MAX_NAMES));
      }
      return names;
    }

    private Optional<URI> baseUrl() {
      return find(KnownSettings.MODEL_BASE_URL)
          .flatMap(text -> {
            try {
              URI uri = URI.create(text);
              if (List.of("http", "https").contains(String.valueOf(uri.getScheme()))
                  && uri.getHost() != null
                  && uri.getUserInfo() == null) {
                return Optional.of(uri);
              }
            } catch (IllegalArgumentException e) {
              // Falls through: the rule is the same for no URL and for another kind of URL.
            }
            problems.add(
                "%s must be an http or https URL without user and password, such as http://127.0.0.1:11434"
                    .formatted(KnownSettings.MODEL_BASE_URL.environmentName()));
            return Optional.empty();
          });
    }

    private Optional<String> key() {
      Optional<Path> own = settings.find(KnownSettings.of(mad, KnownSettings.MODEL_API_KEY_FILE));
      Optional<String> ownText = settings.find(KnownSettings.of(mad, KnownSettings.MODEL_API_KEY));
      Optional<String> key =
          own.isPresent() || ownText.isPresent()
              ? one(own, ownText)
              : one(
                  settings.find(KnownSettings.MODEL_API_KEY_FILE),
                  settings.find(KnownSettings.MODEL_API_KEY));
      if (key.isPresent() && !key.get().chars().allMatch(c -> c > ' ' && c < 127)) {
        problems.add("The model server's API key holds a character that no header can carry");
      }
      return key;
    }

    private Optional<String> one(Optional<Path> file, Optional<String> text) {
      if (file.isPresent() && text.isPresent()) {
        problems.add(
            "%s and %s are both set; set one of them"
                .formatted(
                    KnownSettings.MODEL_API_KEY.environmentName(),
                    KnownSettings.MODEL_API_KEY_FILE.environmentName()));
      }
      return file.flatMap(this::read).or(() -> text).filter(key -> !key.isBlank());
    }

    private Optional<String> read(Path file) {
      try {
        if (Files.size(file) <= LONGEST_KEY) {
          return Optional.of(Files.readString(file).strip());
        }
        problems.add("The API key file %s is larger than %d bytes".formatted(file, LONGEST_KEY));
      } catch (IOException e) {
        problems.add(
            "The API key file %s can't be read (%s). Set %s to one that can."
                .formatted(
                    file,
                    e.getClass().getSimpleName(),
                    KnownSettings.MODEL_API_KEY_FILE.environmentName()));
      }
      return Optional.empty();
    }
  }
}
