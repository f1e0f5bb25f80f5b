package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Error messages about numbers don't mention Java types. */
final class WholeNumberConvertersTest {
  @Command(name = "count")
  private static final class Counting {
    @Option(names = "--few")
    private int few;

    @Option(names = "--many")
    private long many;
  }

  private static Counting read(String... words) {
    Counting counting = new Counting();
    CommandLine line = new CommandLine(counting);
    WholeNumberConverters.registerOn(line);
    line.parseArgs(words);
    return counting;
  }

  @Test
  void wholeNumbersAreRead() {
    Counting counting = read("--few", "-7", "--many", "+9223372036854775807");
    assertThat(counting.few).isEqualTo(-7);
    assertThat(counting.many).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--few  | abc                 | 'abc' is not a whole number",
        "--few  | 1.5                 | '1.5' is not a whole number",
        "--few  | 2147483648          | 2147483648 must be between -2147483648 and 2147483647",
        "--many | 9223372036854775808 | must be between -9223372036854775808 and 9223372036854775807"
      })
  void whatIsNoNumberOrTooLargeIsRefusedInWords(String option, String text, String refusal) {
    assertThatThrownBy(() -> read(option, text))
        .isInstanceOf(ParameterException.class)
        .hasMessageStartingWith("Invalid value for option '%s': ".formatted(option))
        .hasMessageContaining(refusal);
  }
}
