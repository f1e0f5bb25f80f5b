package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
  private static final Path DOCUMENT = Path.of("../docs/operating/configuration.md");

  @TempDir Path home;

  private String config(Map<String, String> environment, String... flags) {
    TestSurroundings surroundings = new TestSurroundings(environment, home);
    String[] args = new String[flags.length + 1];
    args[0] = "config";
    System.arraycopy(flags, 0, args, 1, flags.length);
    assertThat(surroundings.run(args)).as(surroundings.err()).isZero();
    return surroundings.out();
  }

  @Test
  void printsEverySettingWithItsValueAndWhereItCameFrom() {
    String page = config(Map.of("JOSHUA_GRACE_PORT", "9000"), "--redis-port", "7000");
    assertThat(page)
        .contains("grace-port = 9000  (environment)")
        .contains("redis-port = 7000  (flag)")
        .contains("rogers-port = 8002  (default)")
        .contains("model-name =   (not set)");
    KnownSettings.list()
        .forEach(setting ->
            assertThat(page).contains(setting.environmentName()).contains(setting.sentence()));
  }

  @Test
  void printsTheSameAsJson() throws Exception {
    JsonNode page = Json.parse(config(Map.of("JOSHUA_GRACE_PORT", "9000"), "-o", "json"));
    assertThat(page.path("settings")).hasSameSizeAs(KnownSettings.list());
    JsonNode port =
        page.path("settings").get(KnownSettings.list().indexOf(KnownSettings.GRACE_PORT));
    assertThat(port.path("value").asText()).isEqualTo("9000");
    assertThat(port.path("source").asText()).isEqualTo("environment");
    assertThat(port.path("default").asText()).isEqualTo("8000");
  }

  @Test
  void neverPrintsASecret() {
    Map<String, String> environment =
        Map.of(
            "JOSHUA_MODEL_API_KEY", "hunter2",
            "JOSHUA_ROGERS_MODEL_API_KEY", "hunter2",
            "JOSHUA_REDIS_URL", "redis://:hunter2@localhost");
    assertThat(config(environment)).contains("***").doesNotContain("hunter2");
    assertThat(config(environment, "-o", "json")).contains("***").doesNotContain("hunter2");
  }

  @Test
  void theDocumentationIsWhatItPrints() throws Exception {
    assertThat(Files.readString(DOCUMENT))
        .as("run: ./joshua config --markdown > docs/operating/configuration.md")
        .isEqualTo(config(Map.of(), "--markdown"));
  }

  @Test
  void theExampleOfAnEnvironmentIsWhatItPrints() throws Exception {
    assertThat(Files.readString(Path.of("../.env.example")))
        .as("run: ./joshua config --dotenv > .env.example")
        .isEqualTo(config(Map.of(), "--dotenv"));
  }
}
