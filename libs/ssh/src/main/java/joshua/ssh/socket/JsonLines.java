package joshua.ssh.socket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import joshua.kernel.Json;

/** A reader of a connection's input: one JSON object per line, each of bounded length. */
final class JsonLines {
  /** A malformed line; the sentence may be sent to the other end. */
  static final class MalformedLineException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedLineException(String sentence) {
      super(sentence);
    }

    String sentence() {
      return String.valueOf(getMessage());
    }
  }

  private final InputStream in;
  private final int longest;

  JsonLines(InputStream in, int longest) {
    this.in = new BufferedInputStream(in);
    this.longest = longest;
  }

  /**
   * Waits for the next object; empty at the end. After a malformed line nothing more can be read.
   */
  Optional<ObjectNode> next() throws IOException, MalformedLineException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return Optional.empty();
      }
      if (line.size() == longest) {
        throw new MalformedLineException("a line has at most %d bytes".formatted(longest));
      }
      line.write(next);
    }
    try {
      if (Json.parse(line.toByteArray()) instanceof ObjectNode object) {
        return Optional.of(object);
      }
      throw new MalformedLineException("a line must be a JSON object");
    } catch (Json.MalformedJsonException e) {
      throw new MalformedLineException("a line " + e.getMessage());
    }
  }
}
