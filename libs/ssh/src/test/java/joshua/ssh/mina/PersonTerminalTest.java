package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.ssh.AdminConsole;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client's terminal description, made fit to draw on. */
class PersonTerminalTest {

  @ParameterizedTest
  @CsvSource({
    "80, 24, 80, 24",
    "0, 0, 80, 24",
    "-1, -1, 80, 24",
    "1, 1, 20, 4",
    "1000, 500, 1000, 500",
    "1001, 501, 1000, 500",
    "2147483647, 2147483647, 1000, 500",
  })
  void aSizeIsOneThatCanBeDrawnOn(int columns, int rows, int usedColumns, int usedRows) {
    assertThat(PersonTerminal.bounded(new AdminConsole.Size(columns, rows)))
        .isEqualTo(new AdminConsole.Size(usedColumns, usedRows));
  }

  /** Security: for a type that JLine doesn't know, it starts a program with it as an argument. */
  @ParameterizedTest
  @CsvSource({
    "xterm, xterm-256color",
    "alacritty, xterm-256color",
    "tmux-256color, screen-256color",
    "screen.xterm, screen-256color",
    "dumb, dumb",
    "'', dumb",
    "--version, xterm-256color",
  })
  void aTypeIsOneOfThreeThatNeedNoProgram(String said, String used) {
    assertThat(PersonTerminal.known(said)).isEqualTo(used);
  }
}
