package joshua.kernel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The strict JSON reader and writer: UTF-8 only, one value and nothing after it, no duplicate
 * members, no unpaired surrogates, exact numbers, bounded depth, numbers and tokens.
 */
public final class Json {
  public static final int MAX_DEPTH = 64;
  public static final int MAX_NUMBER_LENGTH = 100;
  public static final int MAX_EXPONENT = 1_000;

  /** A tree takes about 60 bytes of heap for each token of its text. */
  public static final int MAX_TOKENS = 200_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  // Peers choose member names freely, so they must not fill the JVM's string table.
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .disable(JsonFactory.Feature.CHARSET_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .maxTokenCount(MAX_TOKENS)
                          .build())
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .nodeFactory(new BoundedNumbers())
          .addModule(new SimpleModule().addSerializer(Instant.class, new TimestampSerializer()))
          .build();

  private static final JsonMapper TRUSTED =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The shared mapper: strict, records in snake_case. Copy it to configure it differently. */
  public static JsonMapper mapper() {
    return MAPPER;
  }

  /** Reads JSON that this program wrote, which may wrap a text of {@link #MAX_DEPTH} levels. */
  public static JsonNode parseTrusted(byte[] utf8) {
    try {
      return TRUSTED.readTree(utf8);
    } catch (IOException e) {
      throw new IllegalStateException("we wrote what isn't JSON", e);
    }
  }

  /** Reads one value. The exception's message may be shown to whoever sent the text. */
  public static JsonNode parse(byte[] utf8) throws MalformedJsonException {
    boolean ascii = true;
    boolean surrogates = false;
    for (int i = 0; i < utf8.length; i++) {
      ascii &= utf8[i] >= 0;
      surrogates |= utf8[i] == '\\' && escapesSurrogate(utf8, i + 1);
    }
    try {
      if (!ascii) {
        // The parser accepts surrogates and overlong forms in UTF-8, which other readers reject.
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
      }
      return checked(MAPPER.readTree(utf8), surrogates);
    } catch (CharacterCodingException e) {
      throw MalformedJsonException.invalid("is not UTF-8");
    } catch (IOException | NumberFormatException e) {
      throw MalformedJsonException.of(e);
    }
  }

  /** Reads one value. The exception's message may be shown to whoever sent the text. */
  public static JsonNode parse(String text) throws MalformedJsonException {
    try {
      return checked(MAPPER.readTree(text), true);
    } catch (IOException | NumberFormatException e) {
      throw MalformedJsonException.of(e);
    }
  }

  private static boolean escapesSurrogate(byte[] json, int at) {
    return at + 1 < json.length && json[at] == 'u' && (json[at + 1] | 0x20) == 'd';
  }

  private static JsonNode checked(JsonNode node, boolean surrogates) throws MalformedJsonException {
    if (node.isMissingNode()) {
      throw MalformedJsonException.invalid("is empty");
    }
    if (surrogates && !isUnicode(node)) {
      throw MalformedJsonException.invalid("has half of a surrogate pair in a string");
    }
    return node;
  }

  private static boolean isUnicode(JsonNode node) {
    return node.isTextual()
        ? isUnicode(node.textValue())
        : node.propertyStream().allMatch(member -> isUnicode(member.getKey()))
            && node.valueStream().allMatch(Json::isUnicode);
  }

  private static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /**
   * Whether JSON written by {@link #bytes} has an unpaired surrogate, which no reader would accept.
   * Only those are escaped: pairs are written as one character.
   */
  public static boolean hasUnpairedSurrogate(byte[] written) {
    for (int i = 0; i < written.length; i++) {
      if (written[i] == '\\') {
        i++;
        if (escapesSurrogate(written, i)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A tree, or a record with its members in snake_case, as compact UTF-8. */
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("can't be written as JSON", e);
    }
  }

  /** The wire format of times: {@link Timestamps#format}. */
  private static final class TimestampSerializer extends ToStringSerializerBase {
    @Serial private static final long serialVersionUID = 1L;

    private TimestampSerializer() {
      super(Instant.class);
    }

    @Override
    public String valueToString(Object time) {
      return Timestamps.format((Instant) time);
    }
  }

  /** A node factory that refuses numbers such as 1e999999999, which take for ever to add. */
  private static final class BoundedNumbers extends JsonNodeFactory {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public ValueNode numberNode(BigDecimal number) {
      long exponent = (long) number.precision() - number.scale();
      if (Math.abs(exponent) > MAX_EXPONENT) {
        throw new NumberFormatException("exponent of " + exponent);
      }
      return super.numberNode(number);
    }
  }

  /** A text that isn't exactly one JSON value within the bounds; the message quotes none of it. */
  public static final class MalformedJsonException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    private MalformedJsonException(ErrorCode code, String message) {
      super(message);
      this.code = code;
    }

    private static MalformedJsonException of(Exception cause) {
      String said = String.valueOf(cause.getMessage());
      if (cause instanceof StreamConstraintsException) {
        if (said.contains("getMaxTokenCount")) {
          return new MalformedJsonException(
              ErrorCode.TOO_LARGE, "has more than %d values and names".formatted(MAX_TOKENS));
        }
        if (said.contains("getMaxNestingDepth")) {
          return invalid(
              "is nested more than %d levels deep; send flatter values".formatted(MAX_DEPTH));
        }
        if (said.contains("getMaxNumberLength")) {
          return invalid("has a number of more than %d digits".formatted(MAX_NUMBER_LENGTH));
        }
      }
      if (cause instanceof NumberFormatException) {
        return invalid("has a number whose exponent is beyond ±%d".formatted(MAX_EXPONENT));
      }
      if (cause instanceof JsonProcessingException json && json.getLocation() != null) {
        return invalid(
            "is not valid JSON at line %d, column %d"
                .formatted(json.getLocation().getLineNr(), json.getLocation().getColumnNr()));
      }
      return invalid("is not valid JSON in UTF-8");
    }

    private static MalformedJsonException invalid(String message) {
      return new MalformedJsonException(ErrorCode.INVALID_JSON, message);
    }

    /** {@link ErrorCode#INVALID_JSON}, or {@link ErrorCode#TOO_LARGE} for too many tokens. */
    public ErrorCode code() {
      return code;
    }
  }
}
