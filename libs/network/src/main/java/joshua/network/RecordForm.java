package joshua.network;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.SpellingSuggestion;
import joshua.network.JsonForm.InvalidInputException;
import org.jspecify.annotations.Nullable;

/**
 * A record as JSON: its schema, and reading it. Components become members in snake_case, in their
 * order. The schema is flat, without references, and of the few types below; anything else is a
 * programming error, found when the tool is made.
 *
 * <p>Schemas are made here rather than by a library since those that there are take over a second
 * at their first schema and turn open objects into empty ones.
 */
final class RecordForm<R extends Record> {
  private static final SnakeCaseStrategy SNAKE_CASE = new SnakeCaseStrategy();

  private record Component(
      String name, JsonForm form, boolean nullable, boolean required, String text, String inUrl) {}

  private final Constructor<R> constructor;
  private final Map<String, Component> components = new LinkedHashMap<>();
  private final boolean closed;

  /**
   * The form of a record.
   *
   * @param input whether it is what a tool takes: then nullable components may be left out, and
   *     other members are refused; of an answer those are left out that {@link JsonInclude} names
   */
  RecordForm(Class<R> type, boolean input) {
    this.closed = input;
    List<Class<?>> parameters = new ArrayList<>();
    for (RecordComponent declared : type.getRecordComponents()) {
      parameters.add(declared.getType());
      Component component = component(declared, input);
      components.put(component.name(), component);
    }
    try {
      constructor = type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record has its canonical constructor", e);
    }
  }

  private static Component component(RecordComponent declared, boolean input) {
    Name name = declared.getAnnotation(Name.class);
    AnnotatedElement described = name == null ? declared : Name.class;
    Member member = Objects.requireNonNullElse(described.getAnnotation(Member.class), Member.PLAIN);
    boolean nullable = declared.getAnnotatedType().isAnnotationPresent(Nullable.class);
    boolean omitted = includes(declared) != JsonInclude.Include.ALWAYS;
    JsonProperty named = declared.getAccessor().getAnnotation(JsonProperty.class);
    String memberName = named == null ? SNAKE_CASE.translate(declared.getName()) : named.value();
    return new Component(
        memberName,
        JsonForm.of(declared.getGenericType(), member, input),
        nullable && (input || !omitted),
        !nullable || (!input && !omitted),
        name == null ? member.value() : name.value(),
        name != null && name.anybody() ? "" : AddressDefaults.nameFor(memberName));
  }

  private static JsonInclude.Include includes(RecordComponent declared) {
    JsonInclude own = declared.getAccessor().getAnnotation(JsonInclude.class);
    JsonInclude all = declared.getDeclaringRecord().getAnnotation(JsonInclude.class);
    return own != null ? own.value() : all != null ? all.value() : JsonInclude.Include.ALWAYS;
  }

  /** A JSON Schema of 2020-12, without what an address gives. */
  ObjectNode schema(AddressDefaults defaults) {
    ObjectNode schema = Json.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.arrayNode();
    for (Component component : components.values()) {
      if (defaults.values().get(component.inUrl()) != null) {
        continue;
      }
      ObjectNode form = component.form().schema().deepCopy();
      if (component.nullable()) {
        // Two branches, since some model providers don't take a list of types.
        ObjectNode either = Json.object();
        either.withArray("anyOf").add(form).addObject().put("type", "null");
        form = either;
      }
      if (!component.text().isEmpty()) {
        form.put("description", component.text());
      }
      properties.set(component.name(), form);
      if (component.required()) {
        required.add(component.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return closed ? schema.put("additionalProperties", false) : schema;
  }

  String memberNames() {
    return String.join(", ", components.keySet());
  }

  /** Adds the forms of the members that an address may give, by their names in it. */
  void addTaken(Map<String, List<JsonForm>> forms) {
    for (Component component : components.values()) {
      if (!component.inUrl().isEmpty()) {
        forms.computeIfAbsent(component.inUrl(), _ -> new ArrayList<>()).add(component.form());
      }
    }
  }

  /** Reads an object; the prefix is of its members' names in sentences, which are its author's. */
  R read(ObjectNode input, String prefix, AddressDefaults defaults) {
    List<@Nullable Object> arguments = new ArrayList<>(components.size());
    int found = 0;
    for (Component component : components.values()) {
      JsonNode given = input.get(component.name());
      found += given == null ? 0 : 1;
      JsonNode usual = defaults.values().get(component.inUrl());
      JsonNode node = usual != null && (given == null || given.isNull()) ? usual : given;
      arguments.add(argument(component, node, prefix + component.name()));
    }
    if (found < input.size()) {
      throw unknownMember(input, prefix);
    }
    try {
      return constructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw new InvalidInputException(String.valueOf(refused.getMessage()));
      }
      throw new IllegalStateException("a record can't be made", e);
    }
  }

  private static @Nullable Object argument(
      Component component, @Nullable JsonNode node, String at) {
    if (node != null && !(node.isNull() && component.nullable())) {
      return component.form().read(node, at);
    }
    if (component.required()) {
      throw new InvalidInputException(
          "%s is missing; it %s".formatted(at, component.form().rule()));
    }
    return null;
  }

  private InvalidInputException unknownMember(ObjectNode input, String prefix) {
    List<String> unknown = new ArrayList<>();
    input.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(components.keySet());
    String name = unknown.getFirst();
    Optional<String> nearest = SpellingSuggestion.nearest(name, components.keySet());
    return new InvalidInputException(
        "%s is not a member that this takes%s; it takes %s"
            .formatted(
                prefix + JsonForm.excerpt(name),
                nearest.map(" (did you mean %s?)"::formatted).orElse(""),
                memberNames()));
  }
}
