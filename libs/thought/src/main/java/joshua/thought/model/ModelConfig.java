package joshua.thought.model;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Which models are asked, and how.
 *
 * @param names the models, the one that thinks first; empty where there is none
 * @param baseUrl empty for the provider's own
 * @param key what the server wants to see, as it was at the start; never shown to anybody else
 * @param silence how long a model may say nothing
 * @param retries of a request that failed before any text
 * @param prefix of the settings that say so, {@code JOSHUA_MODEL_}
 */
public record ModelConfig(
    ModelProvider provider,
    List<String> names,
    Optional<URI> baseUrl,
    Optional<String> key,
    Optional<Path> keyFile,
    Duration silence,
    int retries,
    int outputTokens,
    int contextTokens,
    String prefix) {
  /** No model. */
  public static final ModelConfig NONE =
      new ModelConfig(
          ModelProvider.NONE,
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Duration.ZERO,
          0,
          0,
          0,
          "JOSHUA_MODEL_");

  public boolean isNone() {
    return names.isEmpty();
  }

  /** The key as it is in its file now; that of the start where there is none that can be used. */
  public Optional<String> currentKey() {
    try {
      return keyFile.isEmpty() ? key : usableKey(Files.readString(keyFile.get())).or(() -> key);
    } catch (IOException e) {
      return key;
    }
  }

  /** A key without the white space around it; empty where no header can carry it. */
  static Optional<String> usableKey(String text) {
    return Optional.of(text.strip()).filter(key -> key.matches("[!-~]+"));
  }

  /** Where the models are. */
  public String url() {
    return baseUrl.map(URI::toString).orElse(provider.url);
  }

  /** The provider, and where it is if that isn't the usual place. */
  public String server() {
    return provider + baseUrl.map(url -> " at " + url.getAuthority()).orElse("");
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(names, server()); // without the key
  }
}
