package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "2026-01-31T23:59:60+01:00, 2026-01-31T22:59:59.000Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
    "0000-01-01T00:00:00+18:00, ''",
    "9999-12-31T23:59:59-18:00, ''",
    "2026-01-31, ''",
  })
  void whatIsReadCanBeWrittenAndReadAgain(String text, String written) {
    var time = Timestamps.parse(text);
    assertThat(time == null ? "" : Timestamps.format(time)).isEqualTo(written);
    assertThat(time).isEqualTo(Timestamps.parse(written));
  }
}
