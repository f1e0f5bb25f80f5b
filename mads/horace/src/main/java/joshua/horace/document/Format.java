package joshua.horace.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import joshua.horace.yaml.YamlReader;
import joshua.horace.yaml.YamlReader.MalformedYamlException;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;

/** The format of a document, by which it is checked and merged. */
public enum Format {
  TEXT,
  MARKDOWN,
  JSON,
  YAML;

  private static final int MAX_PARSED_BYTES = 1024 * 1024;

  /** The format by the extension of a path. */
  public static Format of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "json" -> JSON;
      case "yaml", "yml" -> YAML;
      case "md", "markdown" -> MARKDOWN;
      default -> TEXT;
    };
  }

  /** Whether its documents are data, and not only text. */
  public boolean hasData() {
    return this == JSON || this == YAML;
  }

  /**
   * Reads the data of a document.
   *
   * @throws MalformedException if it isn't in this format, or too large
   */
  public JsonNode parse(String path, String content) {
    if (content.getBytes(StandardCharsets.UTF_8).length > MAX_PARSED_BYTES) {
      String sentence =
          "%s has more than %d bytes, the most that is read as %s; use format text."
              .formatted(path, MAX_PARSED_BYTES, word());
      throw new MalformedException(Refusal.of(ErrorCode.TOO_LARGE, sentence));
    }
    try {
      return this == YAML ? YamlReader.read(content) : Json.parse(content);
    } catch (MalformedJsonException | MalformedYamlException e) {
      throw new MalformedException(Refusal.invalidInput(path, e.getMessage() + "."));
    }
  }

  /** Writes data. */
  public String print(JsonNode data) {
    if (this == YAML) {
      return YamlWriter.write(data);
    }
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
  public static final class MalformedException extends RefusalException {
    private static final long serialVersionUID = 1;

    public MalformedException(Refusal refusal) {
      super(refusal, null);
    }
  }
}
