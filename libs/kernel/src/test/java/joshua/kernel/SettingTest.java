package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import joshua.kernel.KnownSettings.LogLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that each kind of setting accepts, at its limits and just beyond. */
class SettingTest {
  private static final Path BASE = Path.of("/base");
  private static final Setting<Integer> NUMBER =
      Setting.number("n", 5, 1, 1000, "things", "A number.");
  private static final Setting<Long> BYTES = Setting.bytes("b", null, 1024, 1L << 40, "Bytes.");

  private static <T> T read(Setting<T> setting, String text) {
    return setting.reader().read(text, BASE);
  }

  private static void refuses(Setting<?> setting, String text, String rule) {
    assertThatThrownBy(() -> read(setting, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1000, 1000", "1_000, 1000"})
  void numbersUpToTheirLimits(String text, int value) {
    assertThat(read(NUMBER, text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1001", "-1", "", "1.5", "ten", "99999999999", "0x10"})
  void noNumbersBeyondTheirLimits(String text) {
    refuses(NUMBER, text, "must be a whole number from 1 to 1000");
  }

  @Test
  void portsFromZeroOn() {
    Setting<Integer> port = Setting.port("p", 1, "A port.");
    assertThat(read(port, "0")).isZero();
    assertThat(read(port, "65535")).isEqualTo(65_535);
    refuses(port, "65536", "from 0 to 65535");
  }

  @ParameterizedTest
  @CsvSource({
    "1024, 1024",
    "1KiB, 1024",
    "4MiB, 4194304",
    "4 MiB, 4194304",
    "1GiB, 1073741824",
    "1024GiB, 1099511627776"
  })
  void bytesPlainlyOrWithAUnit(String text, long value) {
    assertThat(read(BYTES, text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1023", "1099511627777", "1025GiB", "4MB", "4mib", "MiB", "", "99999999999GiB"})
  void noBytesBeyondTheLimitsNorInOtherUnits(String text) {
    refuses(BYTES, text, "must be a number of bytes from 1024 to 1099511627776");
  }

  @Test
  void choicesAreWrittenInLowerCase() {
    Setting<LogLevel> level = Setting.choice("l", LogLevel.INFO, LogLevel.class, "A level.");
    assertThat(level.defaultText()).isEqualTo("info");
    assertThat(read(level, "trace")).isEqualTo(LogLevel.TRACE);
    refuses(level, "TRACE", "must be one of error, warn, info, debug, trace");
    refuses(level, "", "must be one of");
  }

  @Test
  void listsWithoutBlanksAndEmptyParts() {
    Setting<List<String>> list = Setting.list("l", null, "A list.");
    assertThat(read(list, " a, b ,,c ")).containsExactly("a", "b", "c");
    assertThat(read(list, "")).isEmpty();
  }

  @Test
  void pathsRelativeToTheirBase() {
    Setting<Path> path = Setting.path("p", null, "A path.");
    assertThat(read(path, "x/../y")).isEqualTo(Path.of("/base/y"));
    assertThat(read(path, "/y")).isEqualTo(Path.of("/y"));
  }

  @Test
  void aPathThatNoFileSystemTakesIsABadValue() {
    refuses(Setting.path("p", null, "A path."), "a\0b", "Nul character");
  }

  @Test
  void theOtherNamesFollowFromTheKey() {
    Setting<Integer> port = KnownSettings.GRACE_SSH_PORT;
    assertThat(port.environmentName()).isEqualTo("JOSHUA_GRACE_SSH_PORT");
    assertThat(port.flag()).isEqualTo("--grace-ssh-port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0"})
  void bindIsAnAddress(String text) {
    assertThat(read(KnownSettings.BIND, text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "", "1.2.3.4.5", "example.org"})
  void bindIsNoName(String text) {
    refuses(KnownSettings.BIND, text, "must be an IP address");
  }
}
