package joshua.horace.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;

/** The format of a document, by which it is checked and merged. */
public enum Format {
  TEXT,
  MARKDOWN,
  JSON;

  private static final int MAX_PARSED_BYTES = 1024 * 1024;

  /** The format by the extension of a path. */
  static Format of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(".json") ? JSON : name.matches(".*\\.(md|markdown)") ? MARKDOWN : TEXT;
  }

  /** Whether its documents are data, and not only text. */
  boolean hasData() {
    return this == JSON;
  }

  /**
   * Reads the data of a document.
   *
   * @throws MalformedException if it isn't in this format, or too large
   */
  JsonNode parse(String path, String content) {
    if (content.getBytes(StandardCharsets.UTF_8).length > MAX_PARSED_BYTES) {
      String sentence =
          "%s has more than %d bytes, the most that is read as %s; use format text."
              .formatted(path, MAX_PARSED_BYTES, word());
      throw new MalformedException(Refusal.of(ErrorCode.TOO_LARGE, sentence));
    }
    try {
      return Json.parse(content);
    } catch (MalformedJsonException e) {
      throw new MalformedException(Refusal.invalidInput(path, e.getMessage() + "."));
    }
  }

  /** Writes data. */
  String print(JsonNode data) {
    try {
      return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(data) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("can't be written", e);
    }
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The refusal of a text that isn't in its format. */
  static final class MalformedException extends RefusalException {
    private static final long serialVersionUID = 1;

    MalformedException(Refusal refusal) {
      super(refusal, null);
    }
  }
}
