package joshua.ssh.socket;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/** A message from the MAD: the verb's output as it comes, and finally its exit status. */
sealed interface ServerMessage {
  /** The maximum number of characters per piece of output. */
  int CHUNK = 64 * 1024;

  /** The maximum length of a line in bytes: a chunk in which every character is escaped. */
  int LONGEST = 6 * CHUNK + 1024;

  /** A piece of the answer. */
  record Out(String text) implements ServerMessage {}

  /** A piece of output that isn't part of the answer. */
  record Err(String text) implements ServerMessage {}

  /** The verb has ended; nothing comes after it. */
  record Exit(int number) implements ServerMessage {}

  /** The line that encodes the message. */
  default ObjectNode json() {
    return switch (this) {
      case Out(var text) -> Json.object().put("out", text);
      case Err(var text) -> Json.object().put("err", text);
      case Exit(var number) -> Json.object().put("exit", number);
    };
  }

  static ServerMessage of(ObjectNode line) throws JsonLines.MalformedLineException {
    JsonNode exit = line.path("exit");
    if (exit.isInt()) {
      return new Exit(exit.intValue());
    }
    if (line.path("out").isTextual()) {
      return new Out(line.path("out").textValue());
    }
    if (line.path("err").isTextual()) {
      return new Err(line.path("err").textValue());
    }
    throw new JsonLines.MalformedLineException("a line must have out, err or exit");
  }
}
