package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import joshua.kernel.KnownSettings;
import joshua.kernel.KnownSettings.ModelProvider;
import joshua.kernel.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelConfigTest {
  @TempDir Path directory;

  private ModelConfig config(Map<String, String> environment)
      throws Settings.InvalidSettingsException {
    Settings settings =
        Settings.read(
            KnownSettings.list(),
            new Settings.Given(Map.of(), "none", environment, Map.of(), directory, directory));
    return ModelConfig.from(settings, "fiedler");
  }

  private List<String> problems(Map<String, String> environment) {
    return catchThrowableOfType(Settings.InvalidSettingsException.class, () -> config(environment))
        .problems();
  }

  @Test
  void nothingIsConfiguredAtFirst() throws Exception {
    ModelConfig config = config(Map.of());
    assertThat(config.provider()).isEqualTo(ModelProvider.NONE);
    assertThat(config.names()).isEmpty();
    assertThat(config.limits())
        .isEqualTo(
            new ModelLimits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                3,
                4_096,
                16_000));
  }

  @Test
  void whatAMadSetsForItselfGoesFirst() throws Exception {
    Files.writeString(directory.resolve("key"), " sk-of-fiedler\n");
    ModelConfig config =
        config(
            Map.of(
                "JOSHUA_MODEL_PROVIDER", "ollama",
                "JOSHUA_MODEL_NAME", "llama3",
                "JOSHUA_MODEL_API_KEY", "sk-of-all",
                "JOSHUA_FIEDLER_MODEL_PROVIDER", "openai",
                "JOSHUA_FIEDLER_MODEL_NAME", "gpt-x , gpt-y,,gpt-x",
                "JOSHUA_FIEDLER_MODEL_API_KEY_FILE", "key",
                "JOSHUA_FIEDLER_MODEL_RETRIES", "0",
                "JOSHUA_MODEL_BASE_URL", "https://models.example.org/v1"));
    assertThat(config.provider()).isEqualTo(ModelProvider.OPENAI);
    assertThat(config.names()).containsExactly("gpt-x", "gpt-y");
    assertThat(config.apiKey().reveal()).isEqualTo("sk-of-fiedler");
    assertThat(config.baseUrl()).isEmpty();
    assertThat(config.limits().retries()).isZero();
    assertThat(config.toString()).doesNotContain("sk-");
  }

  @Test
  void whatIsSetForAllIsTakenOverFromTheSameServerOnly() throws Exception {
    Map<String, String> all =
        Map.of(
            "JOSHUA_MODEL_PROVIDER", "openai",
            "JOSHUA_MODEL_NAME", "gpt-x",
            "JOSHUA_MODEL_BASE_URL", "https://models.example.org/v1",
            "JOSHUA_MODEL_API_KEY", "sk-of-all");
    ModelConfig same = config(and(all, "JOSHUA_FIEDLER_MODEL_PROVIDER", "openai"));
    assertThat(same).isEqualTo(config(all));
    assertThat(same.apiKey().reveal()).isEqualTo("sk-of-all");
    ModelConfig elsewhere =
        config(and(all, "JOSHUA_FIEDLER_MODEL_BASE_URL", "https://other.example.org/v1"));
    assertThat(elsewhere.names()).containsExactly("gpt-x");
    assertThat(elsewhere.apiKey().isPresent()).isFalse();
    ModelConfig other =
        config(
            and(
                and(all, "JOSHUA_FIEDLER_MODEL_PROVIDER", "ollama"),
                "JOSHUA_FIEDLER_MODEL_NAME",
                "llama3"));
    assertThat(other.names()).containsExactly("llama3");
    assertThat(other.baseUrl()).isEmpty();
    assertThat(other.apiKey().isPresent()).isFalse();
    assertThat(problems(and(all, "JOSHUA_FIEDLER_MODEL_PROVIDER", "anthropic")))
        .containsExactly(
            "JOSHUA_FIEDLER_MODEL_PROVIDER is set, and JOSHUA_FIEDLER_MODEL_NAME isn't: name the model to ask",
            "JOSHUA_FIEDLER_MODEL_PROVIDER is anthropic, which wants a key: set JOSHUA_FIEDLER_MODEL_API_KEY_FILE to a file that holds it");
  }

  private static Map<String, String> and(Map<String, String> all, String name, String value) {
    Map<String, String> more = new HashMap<>(all);
    more.put(name, value);
    return more;
  }

  @ParameterizedTest
  @ValueSource(strings = {"JOSHUA_", "JOSHUA_FIEDLER_"})
  void aRefusalNamesTheSettingThatWasWrong(String prefix) {
    Map<String, String> right = Map.of("JOSHUA_MODEL_PROVIDER", "openai", "JOSHUA_MODEL_NAME", "m");
    String url = prefix + "MODEL_BASE_URL";
    assertThat(problems(and(right, url, "nonsense")))
        .singleElement()
        .asString()
        .startsWith(url + " ");
    String names = prefix + "MODEL_NAME";
    String tooMany = String.join(",", IntStream.range(0, 21).mapToObj(i -> "m" + i).toList());
    assertThat(problems(and(and(right, "JOSHUA_MODEL_API_KEY", "k"), names, tooMany)))
        .singleElement()
        .asString()
        .startsWith(names + " names 21");
    String file = prefix + "MODEL_API_KEY_FILE";
    assertThat(problems(and(right, file, "missing")))
        .anySatisfy(each -> assertThat(each).contains("Set " + file + " to one that can"));
    String key = prefix + "MODEL_API_KEY";
    assertThat(problems(and(and(right, file, "missing"), key, "k")))
        .contains("%s and %s are both set; set one of them".formatted(key, file));
    assertThat(problems(and(right, key, "two\u0001words")))
        .singleElement()
        .asString()
        .startsWith(key + " holds a character");
  }

  @Test
  void everythingThatIsWrongIsReportedAtOnce() {
    assertThat(
            problems(
                Map.of(
                    "JOSHUA_MODEL_PROVIDER", "openai",
                    "JOSHUA_MODEL_API_KEY_FILE", "missing")))
        .anySatisfy(problem -> assertThat(problem).contains("JOSHUA_MODEL_NAME isn't"))
        .anySatisfy(problem -> assertThat(problem).contains("missing").contains("can't be read"))
        .anySatisfy(problem -> assertThat(problem).contains("wants a key"));
  }

  @Test
  void noMoreModelsThanTheMostCanBeNamed() throws Exception {
    List<String> names =
        new ArrayList<>(IntStream.range(0, ModelConfig.MAX_NAMES).mapToObj(i -> "m" + i).toList());
    Map<String, String> fits =
        Map.of("JOSHUA_MODEL_PROVIDER", "ollama", "JOSHUA_MODEL_NAME", String.join(",", names));
    assertThat(config(fits).names()).hasSize(ModelConfig.MAX_NAMES);
    names.add("one-more");
    assertThat(
            problems(
                Map.of(
                    "JOSHUA_MODEL_PROVIDER",
                    "ollama",
                    "JOSHUA_MODEL_NAME",
                    String.join(",", names))))
        .singleElement()
        .asString()
        .contains("names 21 models");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "nonsense", "http://user:pw@host/", "http:///v1", "::"})
  void baseUrlsThatAreNone(String url) {
    assertThat(
            problems(
                Map.of(
                    "JOSHUA_MODEL_PROVIDER", "ollama",
                    "JOSHUA_MODEL_NAME", "m",
                    "JOSHUA_MODEL_BASE_URL", url)))
        .singleElement()
        .asString()
        .startsWith("JOSHUA_MODEL_BASE_URL must be")
        .doesNotContain("pw");
  }

  @Test
  void aKeyIsGivenOnceAndFitForAHeader() {
    assertThat(
            problems(
                Map.of(
                    "JOSHUA_MODEL_PROVIDER", "openai",
                    "JOSHUA_MODEL_NAME", "m",
                    "JOSHUA_MODEL_API_KEY", "two words",
                    "JOSHUA_MODEL_API_KEY_FILE", "file")))
        .anySatisfy(problem -> assertThat(problem).contains("both set"))
        .allSatisfy(problem -> assertThat(problem).doesNotContain("two words"));
    assertThat(
            problems(
                Map.of(
                    "JOSHUA_MODEL_PROVIDER", "openai",
                    "JOSHUA_MODEL_NAME", "m",
                    "JOSHUA_MODEL_API_KEY", "two\u0001words")))
        .singleElement()
        .asString()
        .contains("no header can carry");
  }

  @Test
  void aSecretIsBlottedOutOfExceptionsAndTheirCauses() {
    Secret secret = new Secret("sk-1");
    Exception deep = new IllegalStateException("deep sk-1");
    StringWriter trace = new StringWriter();
    Exception masked = secret.mask(new RuntimeException("over sk-1", deep));
    masked.printStackTrace(new PrintWriter(trace, true));
    assertThat(trace.toString())
        .doesNotContain("sk-1")
        .contains("RuntimeException: over ***", "IllegalStateException: deep ***")
        .contains("aSecretIsBlottedOutOfExceptions");
    assertThat(secret).hasToString("***");
  }
}
