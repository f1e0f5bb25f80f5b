package joshua.thought.model;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of models (REQ-FD-01). */
public final class ModelSettings {
  @Option(
      names = "--model-provider",
      defaultValue = "none",
      paramLabel = "PROVIDER",
      description = "none, openai (and what speaks its protocol), anthropic or ollama.")
  private ModelProvider provider = ModelProvider.NONE;

  @Option(
      names = "--model-name",
      paramLabel = "NAME[,NAME]",
      description = "The model that thinks; others after it can be asked by fiedler_send.")
  private @Nullable String name;

  @Option(
      names = "--model-base-url",
      paramLabel = "URL",
      description = "Where the models are, if not at the provider's own address.")
  private @Nullable String baseUrl;

  @Option(names = "--model-api-key", paramLabel = "KEY", description = "The key of that server.")
  private @Nullable String apiKey;

  @Option(
      names = "--model-api-key-file",
      paramLabel = "FILE",
      description = "A file that holds that key; read again for each request.")
  private @Nullable Path apiKeyFile;

  @Option(
      names = "--model-silence",
      defaultValue = "120",
      paramLabel = "SECONDS",
      description = "How long a model may say nothing before it is given up.")
  private int silence;

  @Option(
      names = "--model-retries",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often a request is repeated that failed before any text.")
  private int retries;

  @Option(
      names = "--model-output-tokens",
      defaultValue = "8192",
      paramLabel = "N",
      description = "The most tokens of an answer, thoughts included.")
  private int outputTokens;

  @Option(
      names = "--model-context-tokens",
      defaultValue = "16000",
      paramLabel = "N",
      description = "The most tokens that a model is given to read.")
  private int contextTokens;

  /**
   * The configuration that they describe.
   *
   * @param prefix of the names of the settings, {@code JOSHUA_MODEL_}
   * @throws IllegalArgumentException with a sentence for the user
   */
  ModelConfig config(String prefix) {
    if (provider == ModelProvider.NONE) {
      check(
          name == null && baseUrl == null && apiKey == null && apiKeyFile == null,
          "%1$sPROVIDER isn't set, and other settings of %1$s… are: they belong together.",
          prefix);
      return ModelConfig.NONE;
    }
    List<String> names =
        Pattern.compile(",")
            .splitAsStream(name == null ? "" : name)
            .map(String::strip)
            .filter(each -> !each.isEmpty())
            .distinct()
            .toList();
    check(!names.isEmpty(), "%1$sPROVIDER is set, and %1$sNAME isn't: name the model.", prefix);
    check(
        apiKey == null || apiKeyFile == null,
        "%1$sAPI_KEY and %1$sAPI_KEY_FILE are both set; set one of them.",
        prefix);
    check(silence >= 1, "%sSILENCE must be at least 1.", prefix);
    check(retries >= 0, "%sRETRIES must be at least 0.", prefix);
    check(outputTokens >= 16, "%sOUTPUT_TOKENS must be at least 16.", prefix);
    check(contextTokens >= 4_000, "%sCONTEXT_TOKENS must be at least 4000.", prefix);
    Optional<URI> url = Optional.ofNullable(baseUrl).map(text -> url(text, prefix));
    Optional<String> key = key(prefix);
    check(
        key.isPresent() || url.isPresent() || provider == ModelProvider.OLLAMA,
        "%%1$sPROVIDER is %s, which wants a key: set %%1$sAPI_KEY_FILE to a file that holds it."
            .formatted(provider),
        prefix);
    return new ModelConfig(
        provider,
        names,
        url,
        key,
        Optional.ofNullable(apiKeyFile),
        Duration.ofSeconds(silence),
        retries,
        outputTokens,
        contextTokens,
        prefix);
  }

  private static void check(boolean right, String sentence, String prefix) {
    if (!right) {
      throw new IllegalArgumentException(sentence.formatted(prefix));
    }
  }

  private static URI url(String text, String prefix) {
    try {
      URI uri = URI.create(text);
      if (List.of("http", "https").contains(String.valueOf(uri.getScheme()))
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getQuery() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // same sentence as below
    }
    throw new IllegalArgumentException(
        "%sBASE_URL must be an http or https URL without a password or a query, such as http://127.0.0.1:11434."
            .formatted(prefix));
  }

  private Optional<String> key(String prefix) {
    String text = apiKey == null ? "" : apiKey;
    if (apiKeyFile != null) {
      try {
        text = Files.readString(apiKeyFile);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "%sAPI_KEY_FILE is %s, which can't be read (%s)."
                .formatted(prefix, apiKeyFile, e.getClass().getSimpleName()),
            e);
      }
    }
    Optional<String> key = ModelConfig.usableKey(text);
    check(
        key.isPresent() || text.isBlank(),
        "%sAPI_KEY holds more than a key: it has characters that no header can carry.",
        prefix);
    return key;
  }
}
