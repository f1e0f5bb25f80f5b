package joshua.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import joshua.network.Authenticator;
import joshua.network.http.MessageBudget;
import joshua.service.admin.Setting;
import joshua.ssh.VerbHost;
import joshua.thought.model.ModelSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class SettingSourcesTest {
  @TempDir private Path directory;

  private SettingSources sources(String file, Map<String, String> environment) throws IOException {
    Path path = Files.writeString(directory.resolve("joshua.properties"), file);
    Map<String, String> all = new java.util.HashMap<>(environment);
    all.put("JOSHUA_SETTINGS_FILE", path.toString());
    return SettingSources.of(all);
  }

  private static int rateLimit(SettingSources sources, String... flags) {
    CommonSettings common = new CommonSettings();
    VerbHost.configured(new CommandLine(common)).setDefaultValueProvider(sources).parseArgs(flags);
    return common.server(0, "", Authenticator.OPEN, new MessageBudget(1)).rateLimit();
  }

  @Test
  void aFlagGoesBeforeTheEnvironmentThatBeforeTheFileAndThatBeforeTheDefault() throws Exception {
    assertThat(rateLimit(sources("", Map.of()))).isEqualTo(10_000);
    assertThat(rateLimit(sources("rate-limit=1", Map.of()))).isEqualTo(1);
    SettingSources both = sources("rate-limit=1", Map.of("JOSHUA_RATE_LIMIT", "2"));
    assertThat(rateLimit(both)).isEqualTo(2);
    assertThat(rateLimit(both, "--rate-limit", "3")).isEqualTo(3);
  }

  @Test
  void theTableSaysWhereEachSettingIsFromAndShowsNoSecret() throws Exception {
    SettingSources sources =
        sources(
            "rate-limit=1\nmodel-api-key=hidden\nmodel-name=x\nfiedler-db=y",
            Map.of("JOSHUA_REDIS_URL", "redis://me:hid@den@host:1/"));
    CommandSpec spec = CommandSpec.forAnnotatedObject(new CommonSettings());
    spec.addMixin("model", CommandSpec.forAnnotatedObject(new ModelSettings()));
    spec.defaultValueProvider(sources);
    VerbHost.configured(new CommandLine(spec)).parseArgs("--frame-limit", "3");
    assertThat(sources.table(spec))
        .contains(
            new Setting("frame-limit", "3", "flag"),
            new Setting("redis-url", "redis://********@host:1/", "environment"),
            new Setting("rate-limit", "1", "file"),
            new Setting("redis-port", "6379", "default"),
            new Setting("tokens-file", "none", "default"),
            new Setting("model-api-key", "********", "file"),
            new Setting("model-name", "x", "file"),
            new Setting("fiedler-db", "y", "not used yet"))
        .noneMatch(setting -> setting.name().equals("fiedler-db-user"));
    assertThat(sources.table(spec).getFirst().source()).as("what is set").isNotEqualTo("default");
  }

  @Test
  void aSettingThatDoesNotExistIsNamedWithTheNearestThatDoes() throws Exception {
    SettingSources sources =
        sources(
            "rate-limt=1\nfiedler-db=x",
            Map.of("JOSHUA_FRAME_LIMITS", "2", "JOSHUA_FIEDLER_DB_USER", "x", "PATH", "/"));
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

  @Test
  void aPersonIsNamedByTheEnvironmentTheFileOrTheLogin() throws Exception {
    assertThat(sources("as=ann", Map.of("JOSHUA_AS", "bob")).person()).isEqualTo("bob");
    assertThat(sources("as=ann", Map.of()).person()).isEqualTo("ann");
    assertThat(sources("as=ann", Map.of("JOSHUA_AS", "bob")).unknown(List.of())).isEmpty();
    assertThat(SettingSources.ofLogin("WORK\\\u00c4nn O'Hara")).isEqualTo("WORK--nn-O-Hara");
    assertThat(SettingSources.ofLogin("?")).as("a container's").isEqualTo("admin");
  }
}
