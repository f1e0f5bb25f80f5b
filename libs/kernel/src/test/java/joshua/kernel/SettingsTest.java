package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final Setting<Integer> PORT = Setting.port("grace-port", 8000, "A port.");
  private static final Setting<Integer> LIMIT =
      Setting.number("grace-queue-limit", 100, 1, 1000, "messages", "A limit.");
  private static final Setting<String> KEY = Setting.secretText("api-key", "key", "A secret.");
  private static final Setting<Path> FILE = Setting.path("tokens-file", null, "A file.");
  private static final List<Setting<?>> KNOWN = List.of(PORT, LIMIT, KEY, FILE);

  private static Settings.Given given(
      Map<String, String> file, Map<String, String> environment, Map<String, String> flags) {
    return new Settings.Given(
        file, "joshua.properties", environment, flags, Path.of("/home"), Path.of("/here"));
  }

  private static Settings read(
      Map<String, String> file, Map<String, String> environment, Map<String, String> flags)
      throws Settings.InvalidSettingsException {
    return Settings.read(KNOWN, given(file, environment, flags));
  }

  private static List<String> problems(
      Map<String, String> file, Map<String, String> environment, Map<String, String> flags) {
    return catchThrowableOfType(
            Settings.InvalidSettingsException.class, () -> read(file, environment, flags))
        .problems();
  }

  @Test
  void aFlagBeatsTheEnvironmentBeatsTheFileBeatsTheDefault() throws Exception {
    Map<String, String> file = Map.of("grace-port", "1");
    Map<String, String> environment = Map.of("JOSHUA_GRACE_PORT", "2");
    Map<String, String> flags = Map.of("grace-port", "3");

    Settings none = read(Map.of(), Map.of(), Map.of());
    assertThat(none.get(PORT)).isEqualTo(8000);
    assertThat(none.source(PORT)).isEqualTo(Settings.Source.DEFAULT);
    Settings byFile = read(file, Map.of(), Map.of());
    assertThat(byFile.get(PORT)).isEqualTo(1);
    assertThat(byFile.source(PORT)).isEqualTo(Settings.Source.FILE);
    Settings byEnvironment = read(file, environment, Map.of());
    assertThat(byEnvironment.get(PORT)).isEqualTo(2);
    assertThat(byEnvironment.source(PORT)).isEqualTo(Settings.Source.ENVIRONMENT);
    Settings byFlag = read(file, environment, flags);
    assertThat(byFlag.get(PORT)).isEqualTo(3);
    assertThat(byFlag.source(PORT)).isEqualTo(Settings.Source.FLAG);
  }

  @Test
  void anEmptyVariableIsNoValue() throws Exception {
    assertThat(read(Map.of(), Map.of("JOSHUA_GRACE_PORT", ""), Map.of()).get(PORT)).isEqualTo(8000);
  }

  @Test
  void aMisspeltVariableIsRefusedWithTheNameThatWasMeant() {
    assertThat(problems(Map.of(), Map.of("JOSHUA_GRACE_QUEUE_LIMT", "5"), Map.of()))
        .containsExactly(
            "JOSHUA_GRACE_QUEUE_LIMT is not a setting; did you mean JOSHUA_GRACE_QUEUE_LIMIT?");
  }

  @Test
  void aNameLikeNoOtherIsReferredToTheList() {
    assertThat(problems(Map.of("colour", "red"), Map.of(), Map.of()))
        .containsExactly(
            "colour is not a setting in joshua.properties; joshua config lists them all");
  }

  @Test
  void otherPeoplesVariablesDontMatter() throws Exception {
    assertThat(read(Map.of(), Map.of("PATH", "/bin", "JOSH", "x"), Map.of()).get(PORT))
        .isEqualTo(8000);
  }

  @Test
  void everythingWrongIsReportedAtOnce() {
    assertThat(
            problems(
                Map.of("grace-prot", "1", "grace-queue-limit", "0"),
                Map.of("JOSHUA_NONSENSE", "1"),
                Map.of("grace-port", "70000")))
        .hasSize(4)
        .anyMatch(problem -> problem.startsWith("grace-prot is not a setting"))
        .anyMatch(problem -> problem.startsWith("JOSHUA_NONSENSE is not a setting"))
        .contains(
            "--grace-port must be a whole number from 0 to 65535 (it is \"70000\")",
            "grace-queue-limit in joshua.properties must be a whole number from 1 to 1000 (it is \"0\")");
  }

  @Test
  void aRuleIsCheckedOnWhatCanBeReadAndReportedWithTheRest() {
    Settings.Rule rule =
        readable ->
            readable.find(PORT).isPresent() && readable.find(LIMIT).isEmpty()
                ? List.of("a port needs a limit")
                : List.of();
    Settings.Given given = given(Map.of("grace-queue-limit", "x"), Map.of(), Map.of());
    assertThatThrownBy(() -> Settings.read(KNOWN, given, rule))
        .isInstanceOf(Settings.InvalidSettingsException.class)
        .hasMessageContaining("grace-queue-limit")
        .hasMessageContaining("a port needs a limit");
  }

  @Test
  void aSecretIsReadAndNeverPrinted() throws Exception {
    Settings settings = read(Map.of(), Map.of("JOSHUA_API_KEY", "hunter2"), Map.of());
    assertThat(settings.get(KEY)).isEqualTo("hunter2");
    assertThat(settings.printable(KEY)).isEqualTo("***");
    assertThat(settings.toString()).doesNotContain("hunter2");
  }

  @Test
  void aWrongSecretIsNotQuotedInTheProblem() {
    Setting<String> fussy = KEY.checked(text -> java.util.Optional.of("must begin with sk-"));
    Settings.Given given = given(Map.of("api-key", "hunter2"), Map.of(), Map.of());
    assertThatThrownBy(() -> Settings.read(List.of(fussy), given))
        .hasMessageContaining("must begin with sk-")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void pathsAreRelativeToWhoeverGaveThem() throws Exception {
    assertThat(read(Map.of("tokens-file", "t"), Map.of(), Map.of()).get(FILE))
        .isEqualTo(Path.of("/home/t"));
    assertThat(read(Map.of(), Map.of("JOSHUA_TOKENS_FILE", "t"), Map.of()).get(FILE))
        .isEqualTo(Path.of("/here/t"));
    assertThat(read(Map.of(), Map.of(), Map.of("tokens-file", "/etc/t")).get(FILE))
        .isEqualTo(Path.of("/etc/t"));
  }

  @Test
  void aSettingWithoutValueIsEmptyAndAskedForAsIfItHadOneAMistake() throws Exception {
    Settings settings = read(Map.of(), Map.of(), Map.of());
    assertThat(settings.find(KEY)).isEmpty();
    assertThat(settings.printable(KEY)).isEmpty();
    assertThatThrownBy(() -> settings.get(KEY)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theDefaultsOfAllKnownSettingsAreValid() throws Exception {
    Settings settings = Settings.read(KnownSettings.list(), given(Map.of(), Map.of(), Map.of()));
    assertThat(settings.get(KnownSettings.GRACE_PORT)).isEqualTo(8000);
    assertThat(settings.get(KnownSettings.BIND)).isEqualTo("127.0.0.1");
    assertThat(settings.find(KnownSettings.REDIS_URL)).isEmpty();
  }

  @Test
  void noTwoSettingsShareAName() {
    assertThat(KnownSettings.list().stream().map(Setting::key)).doesNotHaveDuplicates();
  }
}
