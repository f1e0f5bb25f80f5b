package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * The form of a JSON value. Schema and reading belong together, so that neither takes what the
 * other refuses.
 *
 * @param rule the end of a sentence: "must be a string"
 */
record JsonForm(ObjectNode schema, String rule, Reader reader) {
  /** Turns a node into a Java value, or into null where it isn't of the form. */
  @FunctionalInterface
  interface Reader {
    @Nullable Object readOrNull(JsonNode node, String at, boolean leniently)
        throws InvalidInputException;
  }

  /**
   * Reads a value.
   *
   * @param at what the value is called in a sentence
   * @param leniently whether to take what models write, where one meaning is left: a value as the
   *     JSON text of it, or one string for a list of them
   */
  Object read(JsonNode node, String at, boolean leniently) throws InvalidInputException {
    Object value = reader.readOrNull(node, at, leniently);
    if (value == null && leniently && node.isTextual()) {
      value = reader.readOrNull(written(node.textValue()), at, true);
    }
    if (value == null) {
      throw new InvalidInputException("%s %s, not %s".formatted(at, rule, kind(node)));
    }
    return value;
  }

  /** The JSON value that a text is, or else the text. */
  private static JsonNode written(String text) {
    try {
      return Json.parse(text);
    } catch (MalformedJsonException e) {
      return Json.object().textNode(text);
    }
  }

  private static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY, BINARY -> "an array of " + node.size();
      case STRING -> "the string " + excerpt(node.toString());
      case NULL, MISSING -> "null";
      case NUMBER, BOOLEAN -> excerpt(node.toString());
    };
  }

  /** The beginning of a text that somebody sent. */
  static String excerpt(String text) {
    return text.length() <= 60 ? text : text.substring(0, 59).stripTrailing() + "…";
  }

  private static ObjectNode typed(String type) {
    return Json.object().put("type", type);
  }

  private static ObjectNode bounded(
      ObjectNode schema, String least, long min, String most, long max) {
    if (min > Long.MIN_VALUE) {
      schema.put(least, min);
    }
    return max < Long.MAX_VALUE ? schema.put(most, max) : schema;
  }

  /**
   * A string; lengths are in characters as Java counts them.
   *
   * @param pattern which the whole text matches; empty for any
   * @param rule for people; empty where the lengths are all
   */
  static JsonForm text(long min, long max, String pattern, String rule) {
    ObjectNode schema = bounded(typed("string"), "minLength", min, "maxLength", max);
    Pattern compiled = Pattern.compile(pattern);
    String size =
        max == Long.MAX_VALUE ? "" : " of %d to %d characters".formatted(Math.max(0, min), max);
    return new JsonForm(
        pattern.isEmpty() ? schema : schema.put("pattern", pattern),
        rule.isEmpty() ? "must be a string" + size : rule,
        (node, at, leniently) -> {
          String text = node.textValue();
          return text != null
                  && text.length() >= min
                  && text.length() <= max
                  && (pattern.isEmpty() || compiled.matcher(text).matches())
              ? text
              : null;
        });
  }

  /** A participant's name. */
  static JsonForm name() {
    String rule = Identifiers.NAME_RULE + ", for example \"claude-1\"";
    return text(Long.MIN_VALUE, Long.MAX_VALUE, Identifiers.NAME_PATTERN, rule);
  }

  /** A whole number, as {@code long} or {@code int}. */
  static JsonForm whole(long min, long max, boolean small) {
    return new JsonForm(
        bounded(typed("integer"), "minimum", min, "maximum", max),
        min > Long.MIN_VALUE && max < Long.MAX_VALUE
            ? "must be an integer from %d to %d".formatted(min, max)
            : "must be an integer",
        (node, at, leniently) -> {
          if (!node.isNumber() || !node.canConvertToExactIntegral() || !node.canConvertToLong()) {
            return null;
          }
          long number = node.longValue();
          if (number < min || number > max || (small && number != (int) number)) {
            return null;
          }
          return small ? (Object) (int) number : (Object) number;
        });
  }

  /** A number with or without a fraction. */
  static JsonForm decimal() {
    return new JsonForm(
        typed("number"),
        "must be a number",
        (node, at, leniently) -> node.isNumber() ? node.doubleValue() : null);
  }

  /** True or false. */
  static JsonForm flag() {
    return new JsonForm(
        typed("boolean"),
        "must be true or false",
        (node, at, leniently) -> node.isBoolean() ? node.booleanValue() : null);
  }

  /** One of an enum's names in lower case. */
  static JsonForm choice(Class<?> type) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(constant.toString().toLowerCase(Locale.ROOT), constant);
    }
    ObjectNode schema = Json.object();
    constants.keySet().forEach(schema.putArray("enum")::add);
    return new JsonForm(
        schema,
        "must be one of " + String.join(", ", constants.keySet()),
        (node, at, leniently) -> node.isTextual() ? constants.get(node.textValue()) : null);
  }

  /** A UUID of 36 characters. */
  static JsonForm uuid() {
    return new JsonForm(
        typed("string").put("pattern", Identifiers.UUID_PATTERN),
        Identifiers.UUID_RULE,
        (node, at, leniently) -> node.isTextual() ? Identifiers.parseUuid(node.textValue()) : null);
  }

  /** Any object. */
  static JsonForm openObject(String example) {
    return new JsonForm(
        typed("object"),
        "must be an object" + (example.isEmpty() ? "" : ", for example " + example),
        (node, at, leniently) -> node.isObject() ? node : null);
  }

  /** A record, whose components are the members of an object. */
  static JsonForm members(RecordForm<?> form) {
    return new JsonForm(
        form.schema(),
        "must be an object with " + form.memberNames(),
        (node, at, leniently) ->
            node instanceof ObjectNode object ? form.read(object, at + ".", leniently) : null);
  }

  /** A list of values of one form. */
  static JsonForm list(JsonForm element, long min, long max, String example) {
    ObjectNode schema = typed("array");
    schema.set("items", element.schema);
    String size = max == Long.MAX_VALUE ? "" : " of %d to %d".formatted(Math.max(0, min), max);
    return new JsonForm(
        bounded(schema, "minItems", min, "maxItems", max),
        "must be an array" + size + (example.isEmpty() ? "" : ", for example " + example),
        (node, at, leniently) -> {
          JsonNode given = leniently && node.isTextual() ? written(node.textValue()) : node;
          JsonNode array =
              leniently && given.isTextual() ? Json.object().arrayNode().add(given) : given;
          if (!array.isArray() || array.size() < min || array.size() > max) {
            return null;
          }
          List<Object> values = new ArrayList<>(array.size());
          for (int i = 0; i < array.size(); i++) {
            values.add(element.read(array.get(i), "%s[%d]".formatted(at, i), leniently));
          }
          return values;
        });
  }
}
