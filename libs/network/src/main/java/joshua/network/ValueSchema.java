package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serial;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a JSON value, with its reader, so that neither accepts what the other refuses.
 *
 * @param rule the end of a sentence: "must be a string"
 * @param reader turns a node and its name into a Java value, or null where it doesn't fit
 */
record ValueSchema(
    ObjectNode jsonSchema, String rule, BiFunction<JsonNode, String, @Nullable Object> reader) {
  /** The refusal of a value; the message names the member and the rule. */
  static final class InvalidInputException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    InvalidInputException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Reads a value, called {@code at} in messages. Two forms that models often write are also
   * accepted: a value as JSON text, and a single string for a list.
   */
  Object read(JsonNode node, String at) {
    Object value = reader.apply(node, at);
    if (value == null && node.isTextual()) {
      value = reader.apply(parsed(node.textValue()), at);
    }
    if (value == null) {
      throw new InvalidInputException("%s %s, not %s".formatted(at, rule, describe(node)));
    }
    return value;
  }

  /** The JSON value in a text, or else the text. */
  private static JsonNode parsed(String text) {
    try {
      return Json.parse(text);
    } catch (MalformedJsonException e) {
      return Json.object().textNode(text);
    }
  }

  private static String describe(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY, BINARY -> "an array of " + node.size();
      case STRING -> "the string " + excerpt(node.toString());
      case NULL, MISSING -> "null";
      case NUMBER, BOOLEAN -> excerpt(node.toString());
    };
  }

  /** The beginning of a peer's text. */
  static String excerpt(String text) {
    return text.length() <= 60 ? text : text.substring(0, 59).stripTrailing() + "…";
  }

  /** The range of a number, or of the length of a text or list. */
  private record Range(long min, long max) {
    boolean has(long size) {
      return size >= min && size <= max;
    }

    ObjectNode in(ObjectNode schema, String least, String most) {
      if (min > Long.MIN_VALUE) {
        schema.put(least, min);
      }
      return max < Long.MAX_VALUE ? schema.put(most, max) : schema;
    }

    String sizes() {
      return max == Long.MAX_VALUE ? "" : " of %d to %d".formatted(Math.max(0, min), max);
    }
  }

  /** The schema of a Java type; outputs may have more types than inputs. */
  static ValueSchema of(Type type, SchemaHint hint, boolean input) {
    // Annotations are slow to read, so this is done once.
    Range range = new Range(hint.min(), hint.max());
    String example = hint.example().isEmpty() ? "" : ", for example " + hint.example();
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return list(of(list.getActualTypeArguments()[0], SchemaHint.NONE, input), range, example);
    }
    boolean map = type instanceof ParameterizedType generic && generic.getRawType() == Map.class;
    if (type == ObjectNode.class || type == RawJson.class || (map && !input)) {
      return simple(
          typed("object"), "must be an object" + example, node -> node.isObject() ? node : null);
    }
    if (type == String.class || (type == Instant.class && !input)) {
      return text(range, hint.pattern(), hint.rule());
    }
    if (type == Instant.class) {
      return simple(
          typed("string").put("format", "date-time"),
          Timestamps.RULE,
          node -> Timestamps.parse(node.asText()));
    }
    if (type == int.class || type == Integer.class) {
      return integer(range, true);
    }
    if (type == long.class || type == Long.class) {
      return integer(range, false);
    }
    if (type == double.class || type == Double.class) {
      return simple(
          typed("number"), "must be a number", node -> node.isNumber() ? node.doubleValue() : null);
    }
    if (type == boolean.class || type == Boolean.class) {
      return simple(
          typed("boolean"),
          "must be true or false",
          node -> node.isBoolean() ? node.booleanValue() : null);
    }
    if (type == UUID.class) {
      return simple(
          typed("string").put("pattern", Identifiers.UUID_PATTERN),
          Identifiers.UUID_RULE,
          node -> Identifiers.parseUuid(node.asText()));
    }
    if (type instanceof Class<?> choice && choice.isEnum()) {
      return enumeration(choice);
    }
    if (type instanceof Class<?> members && members.isRecord()) {
      return record(new RecordSchema<>(members.asSubclass(Record.class), input));
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  private static ObjectNode typed(String type) {
    return Json.object().put("type", type);
  }

  private static ValueSchema simple(
      ObjectNode schema, String rule, Function<JsonNode, @Nullable Object> orNull) {
    return new ValueSchema(schema, rule, (node, at) -> orNull.apply(node));
  }

  /** A string; lengths are in characters as Java counts them. */
  private static ValueSchema text(Range range, String pattern, String rule) {
    ObjectNode schema = range.in(typed("string"), "minLength", "maxLength");
    Pattern compiled = Pattern.compile(pattern);
    String size = range.sizes().isEmpty() ? "" : range.sizes() + " characters";
    return simple(
        pattern.isEmpty() ? schema : schema.put("pattern", pattern),
        rule.isEmpty() ? "must be a string" + size : rule,
        node -> {
          String text = node.textValue();
          return text != null
                  && range.has(text.length())
                  && (pattern.isEmpty() || compiled.matcher(text).matches())
              ? text
              : null;
        });
  }

  /** A whole number, as {@code long} or {@code int}. */
  private static ValueSchema integer(Range range, boolean small) {
    String rule = "must be an integer";
    return simple(
        range.in(typed("integer"), "minimum", "maximum"),
        range.min() > Long.MIN_VALUE && range.max() < Long.MAX_VALUE
            ? "%s from %d to %d".formatted(rule, range.min(), range.max())
            : range.min() > Long.MIN_VALUE ? "%s from %d on".formatted(rule, range.min()) : rule,
        node -> {
          long number = node.longValue();
          if (!node.canConvertToExactIntegral()
              || !(small ? node.canConvertToInt() : node.canConvertToLong())
              || !range.has(number)) {
            return null;
          }
          return small ? (Object) (int) number : (Object) number;
        });
  }

  /** One of an enum's names in lower case. */
  private static ValueSchema enumeration(Class<?> type) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(constant.toString().toLowerCase(Locale.ROOT), constant);
    }
    ObjectNode schema = Json.object();
    constants.keySet().forEach(schema.putArray("enum")::add);
    return simple(
        schema,
        "must be one of " + String.join(", ", constants.keySet()),
        node -> constants.get(node.textValue()));
  }

  /** A record, whose components are the members of an object. */
  private static ValueSchema record(RecordSchema<?> schema) {
    return new ValueSchema(
        schema.jsonSchema(AddressDefaults.NONE),
        "must be an object with " + schema.memberNames(),
        (node, at) ->
            node instanceof ObjectNode object
                ? schema.read(object, at + ".", AddressDefaults.NONE)
                : null);
  }

  /** A list of values of one schema. */
  private static ValueSchema list(ValueSchema element, Range range, String example) {
    ObjectNode schema = typed("array");
    schema.set("items", element.jsonSchema);
    return new ValueSchema(
        range.in(schema, "minItems", "maxItems"),
        "must be an array" + range.sizes() + example,
        (node, at) -> {
          JsonNode given = node.isTextual() ? parsed(node.textValue()) : node;
          JsonNode array = given.isTextual() ? Json.object().arrayNode().add(given) : given;
          if (!array.isArray() || !range.has(array.size())) {
            return null;
          }
          List<Object> values = new ArrayList<>(array.size());
          for (int i = 0; i < array.size(); i++) {
            values.add(element.read(array.get(i), "%s[%d]".formatted(at, i)));
          }
          return values;
        });
  }
}
