package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Durations at the limits of their units. */
final class DurationTextTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static String age(long seconds) {
    return DurationText.of(NOW.minusSeconds(seconds), NOW);
  }

  @Test
  void theUnitIsTheLargestThatStillSaysSomething() {
    assertThat(age(0)).isEqualTo("0 s");
    assertThat(age(119)).isEqualTo("119 s");
    assertThat(age(120)).isEqualTo("2 min");
    assertThat(age(2 * 3600 - 1)).isEqualTo("119 min");
    assertThat(age(2 * 3600)).isEqualTo("2 h");
    assertThat(age(48 * 3600 - 1)).isEqualTo("47 h");
    assertThat(age(48 * 3600)).isEqualTo("2 d");
  }

  @Test
  void aClockThatIsAheadIsNoAge() {
    assertThat(age(-5)).isEqualTo("0 s");
  }

  @Test
  void whatIsNoInstantHasNoAge() {
    assertThat(DurationText.of("2026-11-22T11:59:56.000Z", NOW)).isEqualTo("4 s");
    assertThat(DurationText.of("yesterday", NOW)).isEqualTo("?");
    assertThat(DurationText.of("", NOW)).isEqualTo("?");
  }
}
