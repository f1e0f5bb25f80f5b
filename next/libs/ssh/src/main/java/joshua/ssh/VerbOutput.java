package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;

/** What a verb says: lines for people, or JSON for programs. Each line is written at once. */
public final class VerbOutput {
  private final VerbTerminal terminal;
  private final boolean json;

  VerbOutput(VerbTerminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /** A line for people, in which control characters are escaped. */
  public void line(String text) {
    if (!json) {
      write(terminal.out(), text);
    }
  }

  /** A line of JSON for programs. */
  public void json(JsonNode value) {
    if (json) {
      write(terminal.out(), value.toString());
    }
  }

  /** A line on standard error, for people who watch. */
  public void note(String text) {
    write(terminal.err(), text);
  }

  private static void write(PrintStream stream, String text) {
    stream.println(PrintableText.of(text));
    stream.flush();
  }
}
