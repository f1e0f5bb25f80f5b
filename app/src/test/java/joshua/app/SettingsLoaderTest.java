package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsLoaderTest {
  @TempDir Path home;

  private Settings load(Map<String, String> environment, Map<String, String> flags)
      throws Settings.InvalidSettingsException {
    ProcessEnvironment around = new TestSurroundings(environment, home).around;
    return SettingsLoader.load(around, flags, false, List.of());
  }

  private List<String> problems(Map<String, String> environment, Map<String, String> flags) {
    return catchThrowableOfType(
            Settings.InvalidSettingsException.class, () -> load(environment, flags))
        .problems();
  }

  private Path file(String name, String content) throws Exception {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  @Test
  void theDefaultSettingsFileNeedNotExist() throws Exception {
    assertThat(load(Map.of(), Map.of()).get(KnownSettings.GRACE_PORT)).isEqualTo(8000);
  }

  @Test
  void theDefaultSettingsFileIsRead() throws Exception {
    file("configs/joshua.properties", "# ours\ngrace-port = 9000\n");
    assertThat(load(Map.of(), Map.of()).get(KnownSettings.GRACE_PORT)).isEqualTo(9000);
  }

  @Test
  void aNamedSettingsFileIsReadAndTheFlagDecidesWhich() throws Exception {
    file("a.properties", "grace-port=1");
    file("b.properties", "grace-port=2");
    Map<String, String> environment = Map.of("JOSHUA_SETTINGS_FILE", "a.properties");
    assertThat(load(environment, Map.of()).get(KnownSettings.GRACE_PORT)).isEqualTo(1);
    assertThat(
            load(environment, Map.of("settings-file", "b.properties"))
                .get(KnownSettings.GRACE_PORT))
        .isEqualTo(2);
  }

  @Test
  void aNamedSettingsFileThatDoesNotExistIsAProblem() {
    assertThat(problems(Map.of("JOSHUA_SETTINGS_FILE", "gone"), Map.of()))
        .containsExactly(
            "JOSHUA_SETTINGS_FILE names " + home.resolve("gone") + ", which doesn't exist");
  }

  @Test
  void aKeyThatStandsTwiceIsAProblem() throws Exception {
    Path file = file("configs/joshua.properties", "grace-port=1\ngrace-port=2\n");
    assertThat(problems(Map.of(), Map.of())).containsExactly("grace-port stands twice in " + file);
  }

  @Test
  void aSettingsFileCannotNameAnother() throws Exception {
    file("configs/joshua.properties", "settings-file=x\n");
    assertThat(problems(Map.of(), Map.of())).hasSize(1).first().asString().contains("can't be set");
  }

  @Test
  void aSettingsFileThatIsNoTextIsAProblem() throws Exception {
    Files.createDirectories(home.resolve("configs"));
    Files.write(home.resolve("configs/joshua.properties"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(problems(Map.of(), Map.of())).hasSize(1).first().asString().contains("UTF-8");
  }

  @Test
  void aSettingsFileHasALargestSize() throws Exception {
    file("configs/joshua.properties", "#".repeat(SettingsLoader.LARGEST_FILE));
    load(Map.of(), Map.of());
    file("configs/joshua.properties", "#".repeat(SettingsLoader.LARGEST_FILE + 1));
    assertThat(problems(Map.of(), Map.of())).hasSize(1).first().asString().contains("larger than");
  }
}
