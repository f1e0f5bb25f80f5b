package joshua.ssh.mina;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.TestRequirements;
import org.awaitility.core.ConditionTimeoutException;

/** A real terminal that runs a program: one window of the test's own tmux. */
final class TmuxTerminal implements AutoCloseable {
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(30);

  /** Prints how a program ended, and stays; tmux itself sometimes misses the end of one. */
  private static final String TO_ITS_END =
      """
      "$@"
      printf 'ended with %d\\n' $?
      read -r _
      """;

  private final Path program;
  private final Path socket;

  /** Starts the program in a window of that size; after its end the last row shows how it ended. */
  TmuxTerminal(Path directory, int columns, int rows, List<String> command) {
    program = TestRequirements.program("tmux", "apt-get install tmux");
    socket = directory.resolve("tmux");
    List<String> start =
        new ArrayList<>(
            List.of(
                "new-session",
                "-d",
                "-x",
                Integer.toString(columns),
                "-y",
                Integer.toString(rows)));
    start.addAll(List.of("sh", "-c", TO_ITS_END, "sh"));
    start.addAll(command);
    tmux(start);
  }

  /** Types the text as it is. */
  TmuxTerminal type(String text) {
    tmux(List.of("send-keys", "-l", text));
    return this;
  }

  /** Presses keys by their names in tmux, {@code Enter} or {@code C-c} for instance. */
  TmuxTerminal press(String... keys) {
    List<String> words = new ArrayList<>(List.of("send-keys"));
    words.addAll(List.of(keys));
    tmux(words);
    return this;
  }

  void resize(int columns, int rows) {
    tmux(List.of("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(rows)));
  }

  /** The screen's rows, without trailing blanks and trailing empty rows. */
  List<String> screen() {
    return tmux(List.of("capture-pane", "-p")).stripTrailing().lines().toList();
  }

  /** Waits until a row matches this regular expression. */
  void awaitRow(String row) {
    try {
      await()
          .atMost(SHOWN_WITHIN)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> screen().stream().anyMatch(seen -> seen.matches(row)));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("no such row: " + row + "\n" + String.join("\n", screen()), e);
    }
  }

  /** Waits until the last row is this: a prompt, with the cursor behind it. */
  void awaitLastRow(String row) {
    try {
      await()
          .atMost(SHOWN_WITHIN)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> !screen().isEmpty() && screen().getLast().equals(row));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("the last row isn't " + row + "\n" + String.join("\n", screen()), e);
    }
  }

  private String tmux(List<String> arguments) {
    List<String> words =
        new ArrayList<>(List.of(program.toString(), "-S", socket.toString(), "-f", "/dev/null"));
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().remove("TMUX");
    builder.environment().put("LC_ALL", "C.UTF-8");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("tmux " + arguments + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while tmux ran", e);
    }
  }

  /** Ends it with everything that runs in it, as closing a window does. */
  @Override
  public void close() {
    tmux(List.of("kill-server"));
  }
}
