package joshua.kernel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The one way JSON is read and written here: strictly (no duplicate members, nothing after the
 * value, at most {@value #MAX_DEPTH} levels deep, numbers kept exactly) and compactly.
 */
public final class Json {
  public static final int MAX_DEPTH = 64;
  public static final int MAX_NUMBER_LENGTH = 100;

  private static final String EXPONENT_RULE = "has a number whose exponent is out of range";

  private static final ObjectMapper MAPPER = mapper();

  private Json() {}

  private static ObjectMapper mapper() {
    JsonMapper mapper =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build());
    return mapper;
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * Reads an object that we wrote ourselves: a schema of a tool, a column of a database.
   *
   * @throws IllegalArgumentException if it isn't one
   */
  public static ObjectNode object(String text) {
    try {
      if (parse(text) instanceof ObjectNode object) {
        return object;
      }
      throw new IllegalArgumentException("not a JSON object: " + text);
    } catch (Malformed e) {
      throw new IllegalArgumentException("a JSON object " + e.getMessage() + ": " + text, e);
    }
  }

  /** Reads one value. The exception's {@link Malformed#getMessage} is fit for a peer. */
  public static JsonNode parse(byte[] utf8) throws Malformed {
    UnicodeText.Traits traits = UnicodeText.traits(utf8);
    if (!traits.utf8()) {
      throw new Malformed("is not valid JSON in UTF-8");
    }
    try {
      return unicode(present(MAPPER.readTree(utf8)), traits.surrogateEscapes());
    } catch (IOException e) {
      throw new Malformed(e);
    } catch (NumberFormatException e) {
      throw new Malformed(EXPONENT_RULE);
    }
  }

  /** Reads one value. The exception's {@link Malformed#getMessage} is fit for a peer. */
  public static JsonNode parse(String text) throws Malformed {
    try {
      return unicode(present(MAPPER.readTree(text)), true);
    } catch (IOException e) {
      throw new Malformed(e);
    } catch (NumberFormatException e) {
      throw new Malformed(EXPONENT_RULE);
    }
  }

  private static JsonNode present(JsonNode node) throws Malformed {
    if (node.isMissingNode()) {
      throw new Malformed();
    }
    return node;
  }

  private static JsonNode unicode(JsonNode node, boolean doubtful) throws Malformed {
    if (doubtful && !UnicodeText.throughout(node)) {
      throw new Malformed("has half of a surrogate pair in its text");
    }
    return node;
  }

  /** Whether each surrogate has its other half, so that the text can be written as UTF-8. */
  public static boolean isUnicode(String text) {
    return UnicodeText.paired(text);
  }

  /**
   * By way of {@link #bytes}, since a large text takes a third more memory character by character.
   */
  public static String write(JsonNode node) {
    return new String(bytes(node), StandardCharsets.UTF_8);
  }

  public static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a JSON tree that can't be written", e);
    }
  }

  /** The mapper itself, for libraries that ask for one. Don't configure it further. */
  public static ObjectMapper shared() {
    return MAPPER;
  }

  /** Text that isn't one JSON value. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed() {
      this("is empty; it must be one JSON value");
    }

    Malformed(String rule) {
      super(rule);
    }

    Malformed(IOException cause) {
      super(describe(cause), cause);
    }

    private static String describe(IOException cause) {
      if (cause instanceof JsonProcessingException json && json.getLocation() != null) {
        return "is not valid JSON at line %d, column %d"
            .formatted(json.getLocation().getLineNr(), json.getLocation().getColumnNr());
      }
      return "is not valid JSON in UTF-8";
    }
  }
}
