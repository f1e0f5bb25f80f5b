package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;

/**
 * A compiled JSON Schema 2020-12 that describes in one sentence what is wrong with a value. A check
 * stops at the first broken rule, so its memory doesn't grow with their number.
 */
public final class JsonSchema {
  /** Patterns that are shown as a sentence, for people who don't read regular expressions. */
  private static final Map<String, String> SAID =
      Map.of(
          BusIdentifiers.IDENTIFIER_PATTERN,
          BusIdentifiers.IDENTIFIER_RULE,
          BusIdentifiers.UUID_PATTERN,
          BusIdentifiers.UUID_RULE,
          BusIdentifiers.UUID_PREFIX_PATTERN,
          BusIdentifiers.UUID_PREFIX_RULE);

  private static final int MAX_NAME = 64;

  private static final int MAX_EXPONENT = 1_000;

  private static final Set<String> THRESHOLDS =
      Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");

  private static final SchemaRegistry COMPILER =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder
                  .schemaCacheEnabled(false)
                  .schemaLoader(l -> l.block(iri -> true))
                  .schemaRegistryConfig(SchemaRegistryConfig.builder().failFast(true).build()));

  private final Schema schema;

  public JsonSchema(ObjectNode schema) {
    this.schema = COMPILER.getSchema(exact(schema));
    this.schema.initializeValidators();
  }

  /**
   * The schema with its thresholds as decimals: of an integer threshold the library compares the
   * lowest 64 bits of a number alone, and 1e999999999 ends in zeros.
   */
  private static JsonNode exact(JsonNode schema) {
    if (schema.isArray()) {
      ArrayNode copy = Json.shared().createArrayNode();
      schema.forEach(element -> copy.add(exact(element)));
      return copy;
    }
    if (!schema.isObject()) {
      return schema;
    }
    ObjectNode copy = Json.object();
    schema
        .properties()
        .forEach(member -> {
          JsonNode value = member.getValue();
          boolean threshold = THRESHOLDS.contains(member.getKey()) && value.isNumber();
          copy.set(
              member.getKey(),
              threshold ? DecimalNode.valueOf(value.decimalValue()) : exact(value));
        });
    return copy;
  }

  /** Names the first member that breaks a rule, and the rule: "channel is required". */
  public Optional<String> problem(JsonNode value) {
    List<Error> errors = schema.validate(tamed(value));
    return errors.isEmpty() ? Optional.empty() : Optional.of(sentence(errors.getFirst()));
  }

  /**
   * The value with numbers beyond 1e±1000 as 1e±1000, since the library writes numbers out in full
   * to compare them, all zeros included. Only what has one inside is copied.
   */
  private static JsonNode tamed(JsonNode value) {
    if (value.isBigDecimal()) {
      BigDecimal number = value.decimalValue();
      long exponent = (long) number.precision() - number.scale();
      if (Math.abs(exponent) <= MAX_EXPONENT) {
        return value;
      }
      int scale = exponent > 0 ? -MAX_EXPONENT : MAX_EXPONENT;
      return DecimalNode.valueOf(
          new BigDecimal(BigInteger.valueOf(number.signum()), number.signum() == 0 ? 0 : scale));
    }
    if (value instanceof ObjectNode object) {
      return tamed(object);
    }
    return value instanceof ArrayNode array ? tamed(array) : value;
  }

  private static JsonNode tamed(ObjectNode object) {
    ObjectNode copy = null;
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonNode tame = tamed(member.getValue());
      if (!isSame(tame, member.getValue())) {
        copy = copy == null ? Json.object().setAll(object) : copy;
        copy.set(member.getKey(), tame);
      }
    }
    return copy == null ? object : copy;
  }

  private static JsonNode tamed(ArrayNode array) {
    ArrayNode copy = null;
    for (int i = 0; i < array.size(); i++) {
      JsonNode tame = tamed(array.get(i));
      if (!isSame(tame, array.get(i))) {
        copy = copy == null ? Json.shared().createArrayNode().addAll(array) : copy;
        copy.set(i, tame);
      }
    }
    return copy == null ? array : copy;
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is the very node, not one like it.
  private static boolean isSame(JsonNode one, JsonNode other) {
    return one == other;
  }

  private static String sentence(Error error) {
    String at = member(error.getInstanceLocation());
    JsonNode rule = error.getSchemaNode();
    return switch (error.getKeyword()) {
      case "required" -> inside(at, error.getProperty()) + " is required";
      case "additionalProperties", "unevaluatedProperties" ->
          inside(at, TextExcerpt.of(error.getProperty(), MAX_NAME))
              + " is not a member of the input";
      case "type" -> at + " must be " + type(rule);
      case "pattern" -> at + " " + SAID.getOrDefault(rule.asText(), "must match " + rule.asText());
      case "enum" -> at + " must be one of " + rule;
      case "const" -> at + " must be " + rule;
      case "minLength" -> "%s must have at least %s characters".formatted(at, rule);
      case "maxLength" -> "%s must have at most %s characters".formatted(at, rule);
      case "minItems" -> "%s must have at least %s items".formatted(at, rule);
      case "maxItems" -> "%s must have at most %s items".formatted(at, rule);
      case "uniqueItems" -> at + " must not hold an item twice";
      case "minimum" -> "%s must be at least %s".formatted(at, rule);
      case "maximum" -> "%s must be at most %s".formatted(at, rule);
      case "minProperties" -> "%s must have at least %s members".formatted(at, rule);
      case "maxProperties" -> "%s must have at most %s members".formatted(at, rule);
      default -> at + " breaks the rule " + error.getKeyword() + " of the tool's schema";
    };
  }

  private static String type(JsonNode rule) {
    if (rule.isArray()) {
      return String.join(" or ", rule.valueStream().map(one -> withArticle(one.asText())).toList());
    }
    return withArticle(rule.asText());
  }

  private static String withArticle(String type) {
    return switch (type) {
      case "null" -> "null";
      case "array", "object", "integer" -> "an " + type;
      default -> "a " + type;
    };
  }

  private static String inside(String at, String name) {
    return at.equals("the input") ? name : at + "." + name;
  }

  private static String member(NodePath path) {
    if (path.getNameCount() <= 0) {
      return "the input";
    }
    StringBuilder member = new StringBuilder();
    IntStream.range(0, path.getNameCount())
        .mapToObj(path::getElement)
        .forEach(element -> {
          if (element instanceof Integer index) {
            member.append('[').append(index).append(']');
          } else {
            member
                .append(member.isEmpty() ? "" : ".")
                .append(TextExcerpt.of(element.toString(), MAX_NAME));
          }
        });
    return member.toString();
  }
}
