package joshua.rogers.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import joshua.ssh.VerbFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how option values are parsed, and why they are rejected. */
class OptionValuesTest {
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");

  @ParameterizedTest
  @CsvSource({
    "14:05, 2026-11-18T14:05:00Z",
    "15:30, 2026-11-18T15:30:00Z",
    "15:31, 2026-11-17T15:31:00Z",
    "00:00:07, 2026-11-18T00:00:07Z",
    "-10m, 2026-11-18T15:20:00Z",
    "-90s, 2026-11-18T15:28:30Z",
    "-2h, 2026-11-18T13:30:00Z",
    "-1d, 2026-11-17T15:30:00Z",
    "2026-11-01T08:00:00.5Z, 2026-11-01T08:00:00.500Z",
    "2026-11-01T08:00:00+01:00, 2026-11-01T07:00:00Z"
  })
  void momentsAreWrittenInThreeWays(String given, String meant) throws Exception {
    assertThat(OptionValues.moment("--at", given, NOW)).isEqualTo(Instant.parse(meant));
  }

  @Test
  void soLongAgoIsToTheSecond() throws Exception {
    assertThat(OptionValues.moment("--at", "-10m", NOW.plusNanos(123_456_789)))
        .isEqualTo(NOW.minusSeconds(600));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "noon",
        "25:00",
        "14:5",
        "10m",
        "-10",
        "-10w",
        "-1234567d",
        "2026-11-18",
        "-m",
        "14:05\u202e"
      })
  void whatIsNoMomentIsRefusedWithTheRule(String given) {
    assertThatThrownBy(() -> OptionValues.moment("--at", given, NOW))
        .isInstanceOf(VerbFailedException.class)
        .hasMessageStartingWith("--at must be a time of day in UTC (14:05)");
  }

  @Test
  void numbersKeepToTheirBounds() throws Exception {
    for (int good : List.of(1, 50)) {
      assertThat(OptionValues.number("-n", good, 1, 50)).isEqualTo(good);
    }
    for (int bad : List.of(0, 51)) {
      assertThatThrownBy(() -> OptionValues.number("-n", bad, 1, 50))
          .isInstanceOf(VerbFailedException.class)
          .hasMessage("-n must be 1 to 50");
    }
  }
}
