package joshua.ssh.socket;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.ssh.AdminConsole;

/** A message from the client: first a request, then its events while the verb runs. */
sealed interface ClientMessage {
  /** The maximum length of a line in bytes: the longest command line when escaped. */
  int LONGEST = 512 * 1024;

  /** The maximum number of columns and of rows of a terminal. */
  int LARGEST = 10_000;

  /**
   * Asks for a verb to run.
   *
   * @param terminal of the client; empty if a program reads
   */
  record Request(List<String> words, Optional<Terminal> terminal) implements ClientMessage {}

  /** The terminal's size has changed. */
  record Resized(AdminConsole.Size size) implements ClientMessage {}

  /** Asks for the verb to end. */
  record Interrupted() implements ClientMessage {}

  /**
   * A terminal.
   *
   * @param colours whether they are wanted
   */
  record Terminal(AdminConsole.Size size, boolean colours) {}

  /** The line that encodes the message. */
  default ObjectNode json() {
    return switch (this) {
      case Request(var words, var terminal) -> {
        ObjectNode json = Json.object();
        ArrayNode list = json.putArray("words");
        words.forEach(list::add);
        terminal.ifPresentOrElse(
            there ->
                json.putObject("terminal")
                    .put("columns", there.size().columns())
                    .put("rows", there.size().rows())
                    .put("colours", there.colours()),
            () -> json.putNull("terminal"));
        yield json;
      }
      case Resized(var size) -> {
        ObjectNode json = Json.object();
        json.putObject("resize").put("columns", size.columns()).put("rows", size.rows());
        yield json;
      }
      case Interrupted() -> Json.object().put("interrupt", true);
    };
  }

  /** Parses the first line of a client. */
  static Request request(ObjectNode line) throws JsonLines.MalformedLineException {
    JsonNode list = line.path("words");
    if (!list.isArray()) {
      throw new JsonLines.MalformedLineException("words must be a list of strings");
    }
    List<String> words = new ArrayList<>();
    for (JsonNode word : list) {
      if (!word.isTextual()) {
        throw new JsonLines.MalformedLineException("words must be a list of strings");
      }
      words.add(word.textValue());
    }
    JsonNode terminal = line.path("terminal");
    if (terminal.isMissingNode() || terminal.isNull()) {
      return new Request(List.copyOf(words), Optional.empty());
    }
    return new Request(
        List.copyOf(words),
        Optional.of(
            new Terminal(size("terminal", terminal), terminal.path("colours").asBoolean())));
  }

  /** Parses a line after the first. */
  static ClientMessage event(ObjectNode line) throws JsonLines.MalformedLineException {
    if (line.has("resize")) {
      return new Resized(size("resize", line.path("resize")));
    }
    if (line.path("interrupt").asBoolean()) {
      return new Interrupted();
    }
    throw new JsonLines.MalformedLineException(
        "a line after the first must have resize or interrupt");
  }

  private static AdminConsole.Size size(String member, JsonNode size)
      throws JsonLines.MalformedLineException {
    int columns = size.path("columns").asInt();
    int rows = size.path("rows").asInt();
    if (columns < 1 || columns > LARGEST || rows < 1 || rows > LARGEST) {
      throw new JsonLines.MalformedLineException(
          "%s.columns and %s.rows must be 1 to %d".formatted(member, member, LARGEST));
    }
    return new AdminConsole.Size(columns, rows);
  }
}
