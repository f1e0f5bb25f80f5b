package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastTimeTest {
  private static final Instant NOW = Instant.parse("2026-11-27T14:30:10Z");

  @ParameterizedTest
  @CsvSource({
    "45s, 2026-11-27T14:29:25Z", "10m, 2026-11-27T14:20:10Z",
    "2h, 2026-11-27T12:30:10Z", "7d, 2026-11-20T14:30:10Z",
    "14:05, 2026-11-27T14:05:00Z", "14:31, 2026-11-26T14:31:00Z",
    "2026-11-01T00:00:00+01:00, 2026-10-31T23:00:00Z"
  })
  void isReadAsPeopleTypeIt(String text, Instant time) {
    assertThat(PastTime.read(text, NOW)).isEqualTo(time);
  }

  @Test
  void otherTextIsNoTime() {
    for (String text : new String[] {"", "10", "-10m", "25:00", "14:5", "yesterday", "999999d"}) {
      assertThat(PastTime.read(text, NOW)).as(text).isNull();
    }
  }
}
