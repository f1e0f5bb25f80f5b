package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import joshua.kernel.Excerpt;

/**
 * A compiled JSON Schema 2020-12 that says in one sentence what is wrong with a value. A check ends
 * at the first rule that is broken, so that it takes no more memory however many are.
 */
public final class JsonSchema {
  private static final int MAX_NAME = 64;

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
    this.schema = COMPILER.getSchema(schema);
    this.schema.initializeValidators();
  }

  /** Names the first member that breaks a rule, and the rule: "channel is required". */
  public Optional<String> problem(JsonNode value) {
    List<Error> errors = schema.validate(value);
    return errors.isEmpty() ? Optional.empty() : Optional.of(sentence(errors.getFirst()));
  }

  private static String sentence(Error error) {
    String at = member(error.getInstanceLocation());
    JsonNode rule = error.getSchemaNode();
    return switch (error.getKeyword()) {
      case "required" -> inside(at, error.getProperty()) + " is required";
      case "additionalProperties", "unevaluatedProperties" ->
          inside(at, Excerpt.of(error.getProperty(), MAX_NAME)) + " is not a member of the input";
      case "type" -> at + " must be " + type(rule);
      case "pattern" -> at + " must match " + rule.asText();
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
                .append(Excerpt.of(element.toString(), MAX_NAME));
          }
        });
    return member.toString();
  }
}
