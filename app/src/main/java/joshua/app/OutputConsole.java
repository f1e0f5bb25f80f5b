package joshua.app;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.ssh.AdminConsole;

/**
 * Standard output and error as the console of a command. The terminal's size comes from {@code
 * stty}; if that doesn't report it, it is 80 by 24. No colours with {@code NO_COLOR}, and no
 * terminal at all if {@code TERM} is {@code dumb}.
 */
final class OutputConsole implements AdminConsole {
  private static final Size USUAL = new Size(80, 24);
  private static final Pattern ROWS_AND_COLUMNS =
      Pattern.compile("([1-9]\\d{0,3}) ([1-9]\\d{0,3})");
  private static final int LONGEST_ANSWER = 64;
  private static final long PATIENCE_SECONDS = 1;

  private final ProcessEnvironment around;
  private volatile Optional<Size> terminal;

  OutputConsole(ProcessEnvironment around) {
    this.around = around;
    this.terminal =
        around.screen() && !around.environment().getOrDefault("TERM", "dumb").equals("dumb")
            ? Optional.of(measured().orElse(USUAL))
            : Optional.empty();
  }

  /** Queries the terminal's size again. */
  Optional<Size> measure() {
    terminal = terminal.map(before -> measured().orElse(before));
    return terminal;
  }

  private static Optional<Size> measured() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (InputStream answer = stty.getInputStream()) {
        if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          stty.destroy();
        }
        return size(
            new String(answer.readNBytes(LONGEST_ANSWER), StandardCharsets.US_ASCII).strip());
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Parses the size as {@code stty} writes it: rows, then columns; 0 where it is unknown. */
  static Optional<Size> size(String answer) {
    Matcher matcher = ROWS_AND_COLUMNS.matcher(answer);
    return matcher.matches()
        ? Optional.of(
            new Size(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(1))))
        : Optional.empty();
  }

  @Override
  public void out(String text) {
    around.out().print(text);
    around.out().flush();
  }

  @Override
  public void err(String text) {
    around.err().print(text);
    around.err().flush();
  }

  @Override
  public boolean gone() {
    return around.out().checkError();
  }

  @Override
  public Optional<Size> terminal() {
    return terminal;
  }

  @Override
  public boolean colours() {
    return terminal.isPresent() && around.environment().getOrDefault("NO_COLOR", "").isEmpty();
  }
}
