package joshua.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SettingSourcesTest {
  @TempDir private Path directory;

  private SettingSources sources(String file, Map<String, String> environment) throws IOException {
    Path path = Files.writeString(directory.resolve("joshua.properties"), file);
    Map<String, String> all = new java.util.HashMap<>(environment);
    all.put("JOSHUA_SETTINGS_FILE", path.toString());
    return SettingSources.of(all);
  }

  private static int rateLimit(SettingSources sources, String... flags) {
    CommonSettings settings = new CommonSettings();
    new CommandLine(settings).setDefaultValueProvider(sources).parseArgs(flags);
    return settings.rateLimit();
  }

  @Test
  void aFlagGoesBeforeTheEnvironmentThatBeforeTheFileAndThatBeforeTheDefault() throws Exception {
    assertThat(rateLimit(sources("", Map.of()))).isEqualTo(10_000);
    assertThat(rateLimit(sources("rate-limit=1", Map.of()))).isEqualTo(1);
    SettingSources both = sources("rate-limit=1", Map.of("JOSHUA_RATE_LIMIT", "2"));
    assertThat(rateLimit(both)).isEqualTo(2);
    assertThat(rateLimit(both, "--rate-limit", "3")).isEqualTo(3);
    assertThat(both.isSet("--rate-limit")).isTrue();
    assertThat(both.isSet("--frame-limit")).isFalse();
  }

  @Test
  void aSettingThatDoesNotExistIsNamedWithTheNearestThatDoes() throws Exception {
    SettingSources sources =
        sources(
            "rate-limt=1\ndewey-port=5\nmodel-name=x",
            Map.of("JOSHUA_FRAME_LIMITS", "2", "JOSHUA_ROGERS_STALE_AFTER", "9", "PATH", "/"));
    assertThat(sources.unknown(List.of("--rate-limit", "--frame-limit")))
        .containsExactly(
            "There is no setting JOSHUA_FRAME_LIMITS; did you mean JOSHUA_FRAME_LIMIT?",
            "There is no setting rate-limt; did you mean rate-limit?");
  }

  @Test
  void aNamedFileMustBeThere() {
    assertThatThrownBy(() -> SettingSources.of(Map.of("JOSHUA_SETTINGS_FILE", "/no/such")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The settings file /no/such can't be read");
  }
}
