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
 * The model configuration of a MAD (REQ-FD-01); {@code JOSHUA_FIEDLER_MODEL_…} overrides {@code
 * JOSHUA_MODEL_…}, and if the MAD has its own provider or server, no setting of the shared one is
 * inherited: no name, no address, no key.
 *
 * @param names the models, the Imperator's first; empty if there is no provider
 * @param baseUrl if empty, the provider's own address
 */
public record ModelConfig(
    ModelProvider provider,
    List<String> names,
    Optional<URI> baseUrl,
    Secret apiKey,
    ModelLimits limits) {
  /** The maximum number of models. */
  public static final int MAX_NAMES = 20;

  /** The maximum length of an API key that is read from a file. */
  private static final int LONGEST_KEY = 16_384;

  /** Explains to admins how to configure a model (+FD-12). */
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

  /** Values that must not appear in logs or errors. */
  public List<String> secrets() {
    return apiKey.isPresent() ? List.of(apiKey.reveal()) : List.of();
  }

  /** The provider's name in the settings. */
  public String providerName() {
    return provider.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the settings that apply to {@code mad}.
   *
   * @throws Settings.InvalidSettingsException with all problems found
   */
  public static ModelConfig from(Settings settings, String mad)
      throws Settings.InvalidSettingsException {
    return new Reading(settings, mad).config();
  }

  /** Reads the settings once, collecting all problems to report them together. */
  private record Reading(Settings settings, String mad, List<String> problems) {
    Reading(Settings settings, String mad) {
      this(settings, mad, new ArrayList<>());
    }

    private <T> boolean isOwn(Setting<T> setting) {
      return settings.find(KnownSettings.of(mad, setting)).isPresent();
    }

    private <T> T get(Setting<T> setting) {
      return settings
          .find(KnownSettings.of(mad, setting))
          .or(() -> settings.find(setting))
          .orElseThrow();
    }

    /** The setting that determines the provider: the MAD's own one, or the shared one. */
    private Setting<ModelProvider> providerSetting() {
      return isOwn(KnownSettings.MODEL_PROVIDER)
          ? KnownSettings.of(mad, KnownSettings.MODEL_PROVIDER)
          : KnownSettings.MODEL_PROVIDER;
    }

    private boolean sharesProvider() {
      return get(KnownSettings.MODEL_PROVIDER) == settings.get(KnownSettings.MODEL_PROVIDER);
    }

    /** Shared settings belong to the shared server: a key is never sent to another. */
    private boolean sharesServer() {
      Optional<String> ownUrl = settings.find(KnownSettings.of(mad, KnownSettings.MODEL_BASE_URL));
      return sharesProvider()
          && (ownUrl.isEmpty() || ownUrl.equals(settings.find(KnownSettings.MODEL_BASE_URL)));
    }

    /** The setting in force, of those that describe a provider or its server. */
    private <T> Setting<T> deciding(Setting<T> setting, boolean shared) {
      boolean missing = settings.find(setting).isEmpty() && isOwn(KnownSettings.MODEL_PROVIDER);
      return isOwn(setting) || !shared || missing ? KnownSettings.of(mad, setting) : setting;
    }

    ModelConfig config() throws Settings.InvalidSettingsException {
      ModelProvider provider = get(KnownSettings.MODEL_PROVIDER);
      if (provider == ModelProvider.NONE) {
        return new ModelConfig(provider, List.of(), Optional.empty(), Secret.none(), limits());
      }
      List<String> names = names();
      Setting<String> urlSetting = deciding(KnownSettings.MODEL_BASE_URL, sharesProvider());
      Optional<URI> baseUrl = baseUrl(urlSetting);
      Optional<String> key = key(provider, settings.find(urlSetting).isEmpty());
      if (!problems.isEmpty()) {
        throw new Settings.InvalidSettingsException(problems);
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
      Setting<String> setting = deciding(KnownSettings.MODEL_NAME, sharesProvider());
      List<String> names =
          Arrays.stream(settings.find(setting).orElse("").split(",", -1))
              .map(String::strip)
              .filter(name -> !name.isEmpty())
              .distinct()
              .toList();
      if (names.isEmpty()) {
        problems.add(
            "%s is set, and %s isn't: name the model to ask"
                .formatted(providerSetting().environmentName(), setting.environmentName()));
      } else if (names.size() > MAX_NAMES) {
        problems.add(
            "%s names %d models; at most %d can be named"
                .formatted(setting.environmentName(), names.size(), MAX_NAMES));
      }
      return names;
    }

    private Optional<URI> baseUrl(Setting<String> setting) {
      return settings
          .find(setting)
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
                    .formatted(setting.environmentName()));
            return Optional.empty();
          });
    }

    /** The key, which the providers' own servers require. */
    private Optional<String> key(ModelProvider provider, boolean providersOwnServer) {
      boolean own = isOwn(KnownSettings.MODEL_API_KEY_FILE) || isOwn(KnownSettings.MODEL_API_KEY);
      boolean shared = sharesServer() && !own;
      Setting<Path> fileSetting = deciding(KnownSettings.MODEL_API_KEY_FILE, shared);
      Setting<String> textSetting = deciding(KnownSettings.MODEL_API_KEY, shared);
      Optional<Path> file = settings.find(fileSetting);
      Optional<String> text = settings.find(textSetting);
      if (file.isPresent() && text.isPresent()) {
        problems.add(
            "%s and %s are both set; set one of them"
                .formatted(textSetting.environmentName(), fileSetting.environmentName()));
      }
      Optional<String> key =
          file.flatMap(each -> read(each, fileSetting))
              .or(() -> text)
              .filter(each -> !each.isBlank());
      String used = (file.isPresent() ? fileSetting : textSetting).environmentName();
      if (key.isPresent() && !key.get().chars().allMatch(c -> c > ' ' && c < 127)) {
        problems.add(
            "%s holds a character that no header can carry; a key has none but visible ASCII"
                .formatted(used));
      }
      if (provider != ModelProvider.OLLAMA && key.isEmpty() && providersOwnServer) {
        problems.add(
            "%s is %s, which wants a key: set %s to a file that holds it"
                .formatted(
                    providerSetting().environmentName(),
                    provider.name().toLowerCase(Locale.ROOT),
                    fileSetting.environmentName()));
      }
      return key;
    }

    private Optional<String> read(Path file, Setting<Path> setting) {
      try {
        if (Files.size(file) <= LONGEST_KEY) {
          return Optional.of(Files.readString(file).strip());
        }
        problems.add(
            "The API key file %s is larger than %d bytes. Set %s to one that holds the key alone."
                .formatted(file, LONGEST_KEY, setting.environmentName()));
      } catch (IOException e) {
        problems.add(
            "The API key file %s can't be read (%s). Set %s to one that can."
                .formatted(file, e.getClass().getSimpleName(), setting.environmentName()));
      }
      return Optional.empty();
    }
  }
}
