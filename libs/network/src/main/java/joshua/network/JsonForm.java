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
import org.jspecify.annotations.Nullable;

/**
 * The form of a JSON value. Schema and reading belong together, so that neither takes what the
 * other refuses.
 *
 * @param rule the end of a sentence: "must be a string"
 * @param reader turns a node, and what it is called, into a Java value, or into null where it isn't
 *     of the form
 */
record JsonForm(
    ObjectNode schema, String rule, BiFunction<JsonNode, String, @Nullable Object> reader) {
  /** A value that isn't of its form; the message names the member and the rule. */
  static final class InvalidInputException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    InvalidInputException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Reads a value, which is called {@code at} in sentences. What isn't of the form is also taken as
   * models write it, where one meaning is left: as JSON text, or one string for a list of them.
   */
  Object read(JsonNode node, String at) {
    Object value = reader.apply(node, at);
    if (value == null && node.isTextual()) {
      value = reader.apply(written(node.textValue()), at);
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

  /** How small and how large a number, a text or a list may be. */
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

  /** The form of a Java type, if it has one: as output more types have one than as input. */
  static JsonForm of(Type type, Member member, boolean input) {
    // Annotations are slow to ask, so their values are taken out here.
    Range range = new Range(member.min(), member.max());
    String example = member.example().isEmpty() ? "" : ", for example " + member.example();
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return list(of(list.getActualTypeArguments()[0], Member.PLAIN, input), range, example);
    }
    boolean map = type instanceof ParameterizedType generic && generic.getRawType() == Map.class;
    if (type == ObjectNode.class || type == RawJson.class || (map && !input)) {
      return form(
          typed("object"), "must be an object" + example, node -> node.isObject() ? node : null);
    }
    if (type == String.class || (type == Instant.class && !input)) {
      return text(range, member.pattern(), member.rule());
    }
    if (type == int.class || type == Integer.class) {
      return whole(range, true);
    }
    if (type == long.class || type == Long.class) {
      return whole(range, false);
    }
    if (type == double.class || type == Double.class) {
      return form(
          typed("number"), "must be a number", node -> node.isNumber() ? node.doubleValue() : null);
    }
    if (type == boolean.class || type == Boolean.class) {
      return form(
          typed("boolean"),
          "must be true or false",
          node -> node.isBoolean() ? node.booleanValue() : null);
    }
    if (type == UUID.class) {
      return form(
          typed("string").put("pattern", Identifiers.UUID_PATTERN),
          Identifiers.UUID_RULE,
          node -> Identifiers.parseUuid(node.asText()));
    }
    if (type instanceof Class<?> choice && choice.isEnum()) {
      return choice(choice);
    }
    if (type instanceof Class<?> members && members.isRecord()) {
      return members(new RecordForm<>(members.asSubclass(Record.class), input));
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  private static ObjectNode typed(String type) {
    return Json.object().put("type", type);
  }

  private static JsonForm form(
      ObjectNode schema, String rule, Function<JsonNode, @Nullable Object> orNull) {
    return new JsonForm(schema, rule, (node, at) -> orNull.apply(node));
  }

  /** A string; lengths are in characters as Java counts them. */
  private static JsonForm text(Range range, String pattern, String rule) {
    ObjectNode schema = range.in(typed("string"), "minLength", "maxLength");
    Pattern compiled = Pattern.compile(pattern);
    String size = range.sizes().isEmpty() ? "" : range.sizes() + " characters";
    return form(
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
  private static JsonForm whole(Range range, boolean small) {
    String rule = "must be an integer";
    return form(
        range.in(typed("integer"), "minimum", "maximum"),
        range.min() > Long.MIN_VALUE && range.max() < Long.MAX_VALUE
            ? "%s from %d to %d".formatted(rule, range.min(), range.max())
            : rule,
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
  private static JsonForm choice(Class<?> type) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(constant.toString().toLowerCase(Locale.ROOT), constant);
    }
    ObjectNode schema = Json.object();
    constants.keySet().forEach(schema.putArray("enum")::add);
    return form(
        schema,
        "must be one of " + String.join(", ", constants.keySet()),
        node -> constants.get(node.textValue()));
  }

  /** A record, whose components are the members of an object. */
  private static JsonForm members(RecordForm<?> form) {
    return new JsonForm(
        form.schema(AddressDefaults.NONE),
        "must be an object with " + form.memberNames(),
        (node, at) ->
            node instanceof ObjectNode object
                ? form.read(object, at + ".", AddressDefaults.NONE)
                : null);
  }

  /** A list of values of one form. */
  private static JsonForm list(JsonForm element, Range range, String example) {
    ObjectNode schema = typed("array");
    schema.set("items", element.schema);
    return new JsonForm(
        range.in(schema, "minItems", "maxItems"),
        "must be an array" + range.sizes() + example,
        (node, at) -> {
          JsonNode given = node.isTextual() ? written(node.textValue()) : node;
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
