package joshua.thought.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class AnswerSettingsTest {
  @TempDir Path directory;

  /** Settings from options with and without the service's name. */
  private static AnswerSettings settings(String shared, String own) {
    AnswerSettings settings = new AnswerSettings("fiedler");
    parse(CommandSpec.forAnnotatedObject(settings), shared);
    parse(CommandSpec.forAnnotatedObject(settings.own()), own);
    return settings;
  }

  private static void parse(CommandSpec spec, String options) {
    new CommandLine(spec)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(options.isEmpty() ? new String[0] : options.split(" ", -1));
  }

  private static final String SHARED =
      "--model-provider openai --model-name a,b --model-api-key shared-key";

  @Test
  void withoutAProviderThereIsNoModel() {
    AnswerSettings none = settings("", "");
    assertThat(none.problems()).isEmpty();
    assertThat(none.model().isNone()).isTrue();
  }

  @Test
  void aServiceThinksWithTheSharedModels() {
    ModelConfig model = settings(SHARED + " --model-silence 7", "").model();
    assertThat(model.provider()).isEqualTo(ModelProvider.OPENAI);
    assertThat(model.names()).containsExactly("a", "b");
    assertThat(model.key()).contains("shared-key");
    assertThat(model.silence()).isEqualTo(Duration.ofSeconds(7));
    assertThat(model.prefix()).isEqualTo("JOSHUA_MODEL_");
    assertThat(model).asString().doesNotContain("shared-key");
  }

  @Test
  void aBlockOfItsOwnReplacesTheSharedOneWhole() {
    ModelConfig model =
        settings(
                SHARED + " --model-silence 7",
                "--model-provider ollama --model-name c --model-base-url http://127.0.0.1:1")
            .model();
    assertThat(model.names()).containsExactly("c");
    assertThat(model.baseUrl()).contains(URI.create("http://127.0.0.1:1"));
    assertThat(model.key()).isEmpty();
    assertThat(model.silence()).isEqualTo(Duration.ofSeconds(120));
    assertThat(model.prefix()).isEqualTo("JOSHUA_FIEDLER_MODEL_");
  }

  @Test
  void aKeyCanBeInAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("key"), "from-a-file\n");
    String options =
        "--model-provider anthropic --model-name a --model-api-key-file ".concat(file.toString());
    assertThat(settings(options, "").model().key()).contains("from-a-file");
    Files.writeString(file, "two lines\nof text");
    assertThat(settings(options, "").problems().getFirst()).contains("holds more than a key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--model-name a|''|JOSHUA_MODEL_PROVIDER isn't set, and other settings of JOSHUA_MODEL_… are",
        "''|--model-name a|JOSHUA_FIEDLER_MODEL_PROVIDER isn't set",
        "--model-provider openai|''|JOSHUA_MODEL_NAME isn't: name the model",
        "--model-provider openai --model-name a|''|is openai, which wants a key: set JOSHUA_MODEL_API_KEY_FILE",
        "--model-provider openai --model-name a --model-api-key-file /no/such|''|is /no/such, which can't be read (NoSuchFileException)",
        "--model-provider openai --model-name a --model-api-key k --model-api-key-file f|''|are both set",
        "--model-provider ollama --model-name a --model-silence 0|''|JOSHUA_MODEL_SILENCE must be at least 1",
        "--model-provider ollama --model-name a --model-base-url localhost:11434|''|JOSHUA_MODEL_BASE_URL must be an http or https URL",
        "--model-provider ollama --model-name a --model-base-url http://me:pass@host|''|without a password",
      })
  void whatIsWrongIsSaid(String shared, String own, String problem) {
    assertThat(settings(shared, own).problems()).singleElement().asString().contains(problem);
  }

  @Test
  void whatAModelIsToldFirstCanBeAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("mine.md"), "You are mine.");
    AnswerSettings mine = settings("", "--imperator-file " + file);
    assertThat(mine.imperator(AnswerSettingsTest.class)).isEqualTo("You are mine.");
    Files.delete(file);
    assertThatThrownBy(() -> mine.imperator(AnswerSettingsTest.class))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mine.md can't be read");
  }
}
