package joshua.thought.model;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of models.
 *
 * @param names of the models, the imperator's first; empty for none
 * @param baseUrl empty for the provider's own
 * @param key for the server, as it was at the start; must never be shown
 * @param silence time without an event after which a request fails
 * @param retries of a request that fails before any text
 * @param prefix of the settings, {@code JOSHUA_MODEL_}
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
  /** The absence of models. */
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

  /** The key in its file now, or that of the start if the file has no usable one. */
  public Optional<String> currentKey() {
    try {
      return keyFile.isEmpty() ? key : usableKey(Files.readString(keyFile.get())).or(() -> key);
    } catch (IOException e) {
      return key;
    }
  }

  /** A key without surrounding white space; empty if a header can't carry it. */
  static Optional<String> usableKey(String text) {
    return Optional.of(text.strip()).filter(key -> key.matches("[!-~]+"));
  }

  /** The URL of the models. */
  public String url() {
    return baseUrl.map(URI::toString).orElse(provider.url);
  }

  /** The provider, with its URL if that isn't the default. */
  public String server() {
    return provider + baseUrl.map(url -> " at " + url.getAuthority()).orElse("");
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(names, server()); // without the key
  }
}
