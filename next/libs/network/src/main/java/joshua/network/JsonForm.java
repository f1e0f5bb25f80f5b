package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * The form of a JSON value: as a schema, as a rule for people, and read into a Java value. Schema
 * and reading belong together, so that neither takes what the other refuses.
 */
sealed interface JsonForm {
  ObjectNode schema();

  /** The end of a sentence: "must be a string". */
  String rule();

  /** The value that the node is, or null where it isn't of this form. */
  @Nullable Object readOrNull(JsonNode node);

  /**
   * Reads a value.
   *
   * @param at what the value is called in a sentence
   * @param leniently whether to take what models write, where one meaning is left: a value as the
   *     JSON text of it, or one string for a list of them
   */
  default Object read(JsonNode node, String at, boolean leniently) throws InvalidInputException {
    Object value = readOrNull(node);
    if (value == null && leniently && node.isTextual()) {
      value = readOrNull(written(node.textValue()));
    }
    if (value == null) {
      throw new InvalidInputException("%s %s, not %s".formatted(at, rule(), kind(node)));
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
      case ARRAY, BINARY -> "an array";
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

  /** A string; lengths are in characters as Java counts them. */
  record Text(long min, long max, Pattern pattern, String patternRule) implements JsonForm {
    @Override
    public ObjectNode schema() {
      ObjectNode schema = typed("string");
      if (min > 0) {
        schema.put("minLength", min);
      }
      if (max < Long.MAX_VALUE) {
        schema.put("maxLength", max);
      }
      return pattern.pattern().isEmpty() ? schema : schema.put("pattern", pattern.pattern());
    }

    @Override
    public String rule() {
      if (!patternRule.isEmpty()) {
        return patternRule;
      }
      return max == Long.MAX_VALUE
          ? "must be a string"
          : "must be a string of %d to %d characters".formatted(Math.max(0, min), max);
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      String text = node.textValue();
      return text != null
              && text.length() >= min
              && text.length() <= max
              && (pattern.pattern().isEmpty() || pattern.matcher(text).matches())
          ? text
          : null;
    }
  }

  /** A whole number, as {@code long} or {@code int}. */
  record Whole(long min, long max, boolean small) implements JsonForm {
    @Override
    public ObjectNode schema() {
      ObjectNode schema = typed("integer");
      if (min > Long.MIN_VALUE) {
        schema.put("minimum", min);
      }
      return max < Long.MAX_VALUE ? schema.put("maximum", max) : schema;
    }

    @Override
    public String rule() {
      return min > Long.MIN_VALUE && max < Long.MAX_VALUE
          ? "must be an integer from %d to %d".formatted(min, max)
          : "must be an integer";
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      if (!node.isNumber() || !node.canConvertToExactIntegral() || !node.canConvertToLong()) {
        return null;
      }
      long number = node.longValue();
      if (number < min || number > max || (small && number != (int) number)) {
        return null;
      }
      return small ? (Object) (int) number : (Object) number;
    }
  }

  /** A number with or without a fraction. */
  record Decimal() implements JsonForm {
    @Override
    public ObjectNode schema() {
      return typed("number");
    }

    @Override
    public String rule() {
      return "must be a number";
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      return node.isNumber() ? node.doubleValue() : null;
    }
  }

  /** True or false. */
  record Flag() implements JsonForm {
    @Override
    public ObjectNode schema() {
      return typed("boolean");
    }

    @Override
    public String rule() {
      return "must be true or false";
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      return node.isBoolean() ? node.booleanValue() : null;
    }
  }

  /** One of an enum's names in lower case. */
  record Choice(List<Object> constants) implements JsonForm {
    private static String word(Object constant) {
      return constant.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = Json.object();
      constants.forEach(constant -> schema.withArray("enum").add(word(constant)));
      return schema;
    }

    @Override
    public String rule() {
      return "must be one of " + String.join(", ", constants.stream().map(Choice::word).toList());
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      String text = node.textValue();
      return constants.stream()
          .filter(constant -> word(constant).equals(text))
          .findFirst()
          .orElse(null);
    }
  }

  /** A UUID of 36 characters. */
  record Id() implements JsonForm {
    @Override
    public ObjectNode schema() {
      return typed("string").put("pattern", Identifiers.UUID_PATTERN);
    }

    @Override
    public String rule() {
      return Identifiers.UUID_RULE;
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      UUID id = node.isTextual() ? Identifiers.parseUuid(node.textValue()) : null;
      return id;
    }
  }

  /** Any object. */
  record OpenObject(String example) implements JsonForm {
    @Override
    public ObjectNode schema() {
      return typed("object");
    }

    @Override
    public String rule() {
      return example.isEmpty()
          ? "must be an object"
          : "must be an object, for example %s".formatted(example);
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      return node.isObject() ? node : null;
    }
  }

  /** A list of values of one form. */
  record Items(JsonForm element, long min, long max, String example) implements JsonForm {
    @Override
    public ObjectNode schema() {
      ObjectNode schema = typed("array");
      schema.set("items", element.schema());
      if (min > 0) {
        schema.put("minItems", min);
      }
      return max < Long.MAX_VALUE ? schema.put("maxItems", max) : schema;
    }

    @Override
    public String rule() {
      String size = max == Long.MAX_VALUE ? "" : " of %d to %d".formatted(Math.max(0, min), max);
      return "must be an array%s%s"
          .formatted(size, example.isEmpty() ? "" : ", for example " + example);
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      return node.isArray() && node.size() >= min && node.size() <= max ? node : null;
    }

    @Override
    public Object read(JsonNode node, String at, boolean leniently) throws InvalidInputException {
      JsonNode given = leniently && node.isTextual() ? written(node.textValue()) : node;
      JsonNode array =
          leniently && given.isTextual() ? Json.object().arrayNode().add(given) : given;
      if (readOrNull(array) == null) {
        throw new InvalidInputException("%s %s, not %s".formatted(at, rule(), kind(node)));
      }
      List<Object> values = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        values.add(element.read(array.get(i), "%s[%d]".formatted(at, i), leniently));
      }
      return values;
    }

    private static String kind(JsonNode node) {
      return node.isArray() ? "one of %d".formatted(node.size()) : JsonForm.kind(node);
    }
  }

  /** A record, whose components are the members of an object. */
  record Members(RecordForm<?> form) implements JsonForm {
    @Override
    public ObjectNode schema() {
      return form.schema();
    }

    @Override
    public String rule() {
      return "must be an object with " + form.memberNames();
    }

    @Override
    public @Nullable Object readOrNull(JsonNode node) {
      return node.isObject() ? node : null;
    }

    @Override
    public Object read(JsonNode node, String at, boolean leniently) throws InvalidInputException {
      return form.read((ObjectNode) JsonForm.super.read(node, at, leniently), at + ".", leniently);
    }
  }

  /** The form of a participant's name. */
  static JsonForm name() {
    return new Text(
        0,
        Long.MAX_VALUE,
        Pattern.compile(Identifiers.NAME_PATTERN),
        Identifiers.NAME_RULE + ", for example \"claude-1\"");
  }

  /** The form of an enum. */
  static JsonForm choice(Class<?> type) {
    return new Choice(Arrays.asList(type.getEnumConstants()));
  }
}
