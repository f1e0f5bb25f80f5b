package joshua.horace.document;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.horace.yaml.YamlReader;
import joshua.horace.yaml.YamlReader.MalformedYamlException;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;

/** The format of a document, by which it is checked and merged. */
public enum Format {
  TEXT,
  MARKDOWN,
  JSON,
  YAML;

  private static final int MAX_DEPTH = Json.MAX_DEPTH - 8; // so that answers can hold it
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

  /** The format by its word, or else by a path. */
  public static Format of(String path, String word) {
    return Stream.of(values()).filter(it -> it.word().equals(word)).findFirst().orElse(of(path));
  }

  /** Whether its documents are data, and not only text. */
  public boolean hasData() {
    return this == JSON || this == YAML;
  }

  /**
   * Reads the data of a document.
   *
   * @throws Refused if it isn't in this format, or too large
   */
  public JsonNode parse(String path, String content) {
    if (content.getBytes(StandardCharsets.UTF_8).length > MAX_PARSED_BYTES) {
      throw Refused.tooLarge(
          "%s has more than %d bytes, the most that is read as %s; use format text.",
          path, MAX_PARSED_BYTES, word());
    }
    return read(path, content);
  }

  /** The same of any size that one call has. */
  public JsonNode read(String path, String content) {
    try {
      JsonNode data = this == YAML ? YamlReader.read(content) : Json.parse(content);
      if (depth(data) > MAX_DEPTH) {
        throw Refused.invalid("%s is nested more than %d levels deep.", path, MAX_DEPTH);
      }
      return data;
    } catch (MalformedJsonException | MalformedYamlException e) {
      throw Refused.invalid("%s %s.", path, e.getMessage());
    }
  }

  private static int depth(JsonNode data) {
    return 1 + data.valueStream().mapToInt(Format::depth).max().orElse(0);
  }

  /** Refuses a format without data, for the sake of a member of the input. */
  Format requireData(String member) {
    if (!hasData()) {
      throw Refused.invalid(
          "%s needs a document in JSON or YAML, by its extension or by format", member);
    }
    return this;
  }

  /** Writes data. */
  public String print(JsonNode data) {
    return this == YAML ? YamlWriter.write(data) : data.toPrettyString() + "\n";
  }

  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
