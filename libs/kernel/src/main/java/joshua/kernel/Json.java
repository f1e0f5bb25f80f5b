package joshua.kernel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The only reader and writer of JSON here: strict (no duplicate members, nothing after the value,
 * at most {@value #MAX_DEPTH} levels deep, exact numbers) and compact.
 *
 * <p>Text from outside is estimated with {@link TreeCost} before it is parsed here.
 */
public final class Json {
  public static final int MAX_DEPTH = 64;
  public static final int MAX_NUMBER_LENGTH = 100;

  /**
   * The most tokens of one text: those of the largest answer of a MAD, and a last bound for callers
   * that use no {@link TreeCost}.
   */
  static final long MAX_TOKENS = 8_000_000;

  /** The longest text, in characters, that {@link #scalars} returns. */
  private static final int MAX_SCALAR = 1_024;

  /** Reads tokens only, and keeps neither names nor a set of the names used. */
  private static final JsonFactory TOKENS = tokens();

  private static final String DEPTH_RULE =
      "is nested more than %d levels deep; send flatter values".formatted(MAX_DEPTH);

  private static final String EXPONENT_RULE = "has a number whose exponent is out of range";

  private static final ObjectMapper MAPPER = mapper();

  private Json() {}

  private static ObjectMapper mapper() {
    // Peers choose names freely, so they aren't interned: the JVM's table is for the program's own.
    JsonFactory factory =
        JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();
    JsonMapper mapper =
        JsonMapper.builder(factory)
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
                .maxTokenCount(MAX_TOKENS)
                .build());
    return mapper;
  }

  private static JsonFactory tokens() {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build())
        .build();
  }

  /**
   * Reads, from a text that is too large to be parsed, the members of the outermost object that
   * have one of these names and whose value is a short text, an integer or null. Reads as far as it
   * can; the first member of each name counts.
   */
  public static Map<String, JsonNode> scalars(InputStream utf8, Set<String> names) {
    Map<String, JsonNode> found = new HashMap<>();
    try (JsonParser parser = TOKENS.createParser(utf8)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      scalars(parser, names, found);
    } catch (IOException e) {
      // What was read before the fault is returned.
    }
    return found;
  }

  private static void scalars(JsonParser parser, Set<String> names, Map<String, JsonNode> found)
      throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return;
    }
    while (found.size() < names.size() && parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (!names.contains(name) || value == null || value.isStructStart()) {
        parser.skipChildren();
        continue;
      }
      switch (value) {
        case VALUE_STRING -> {
          String string = parser.getText();
          if (string.length() <= MAX_SCALAR && UnicodeText.paired(string)) {
            found.putIfAbsent(name, MAPPER.getNodeFactory().textNode(string));
          }
        }
        case VALUE_NUMBER_INT ->
            found.putIfAbsent(
                name, MAPPER.getNodeFactory().numberNode(new BigInteger(parser.getText())));
        case VALUE_NULL -> found.putIfAbsent(name, MAPPER.nullNode());
        default -> {}
      }
    }
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * Reads an object that we wrote ourselves: a tool's schema, a database column.
   *
   * @throws IllegalArgumentException if it isn't one
   */
  public static ObjectNode object(String text) {
    try {
      if (parse(text) instanceof ObjectNode object) {
        return object;
      }
      throw new IllegalArgumentException("not a JSON object: " + text);
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException("a JSON object " + e.getMessage() + ": " + text, e);
    }
  }

  /**
   * Reads one value. The exception's {@link MalformedJsonException#getMessage} may be shown to a
   * peer.
   */
  public static JsonNode parse(byte[] utf8) throws MalformedJsonException {
    UnicodeText.Traits traits = UnicodeText.traits(utf8);
    if (!traits.utf8()) {
      throw new MalformedJsonException("is not valid JSON in UTF-8");
    }
    try {
      return unicode(present(MAPPER.readTree(utf8)), traits.surrogateEscapes());
    } catch (IOException e) {
      throw new MalformedJsonException(e);
    } catch (NumberFormatException e) {
      throw new MalformedJsonException(EXPONENT_RULE);
    }
  }

  /**
   * Reads one value. The exception's {@link MalformedJsonException#getMessage} may be shown to a
   * peer.
   */
  public static JsonNode parse(String text) throws MalformedJsonException {
    try {
      return unicode(present(MAPPER.readTree(text)), true);
    } catch (IOException e) {
      throw new MalformedJsonException(e);
    } catch (NumberFormatException e) {
      throw new MalformedJsonException(EXPONENT_RULE);
    }
  }

  private static JsonNode present(JsonNode node) throws MalformedJsonException {
    if (node.isMissingNode()) {
      throw new MalformedJsonException();
    }
    return node;
  }

  private static JsonNode unicode(JsonNode node, boolean doubtful) throws MalformedJsonException {
    if (doubtful && !UnicodeText.throughout(node)) {
      throw new MalformedJsonException("has half of a surrogate pair in its text");
    }
    return node;
  }

  /** Whether the text has no unpaired surrogate, so that it can be written as UTF-8. */
  public static boolean isUnicode(String text) {
    return UnicodeText.paired(text);
  }

  /** Uses {@link #bytes}: writing a large text as characters takes a third more memory. */
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

  /** The shared mapper, for libraries that ask for one. Don't reconfigure it. */
  public static ObjectMapper shared() {
    return MAPPER;
  }

  /** The text isn't exactly one JSON value. */
  public static final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedJsonException() {
      this("is empty; it must be one JSON value");
    }

    MalformedJsonException(String rule) {
      super(rule);
    }

    MalformedJsonException(IOException cause) {
      super(describe(cause), cause);
    }

    private static String describe(IOException cause) {
      if (cause instanceof StreamConstraintsException
          && String.valueOf(cause.getMessage()).contains("getMaxNestingDepth")) {
        return DEPTH_RULE;
      }
      if (cause instanceof JsonProcessingException json && json.getLocation() != null) {
        return "is not valid JSON at line %d, column %d"
            .formatted(json.getLocation().getLineNr(), json.getLocation().getColumnNr());
      }
      return "is not valid JSON in UTF-8";
    }
  }
}
