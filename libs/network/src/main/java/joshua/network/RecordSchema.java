package joshua.network;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
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
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.SpellingSuggestion;
import joshua.network.ValueSchema.InvalidInputException;
import org.jspecify.annotations.Nullable;

/**
 * The JSON schema of a record, with its reader. Components become members, in their order, in
 * snake_case; where the record, or an interface of it, has {@link JsonNaming}, in camelCase but for
 * {@link Name}s. Those of a component with {@link JsonUnwrapped} stand in its place. The schema is
 * flat, without references, and has few types; any other type is a programming error, found when
 * the tool is created.
 *
 * <p>Schemas are made here, since the existing libraries take over a second for the first one and
 * turn open objects into empty ones.
 */
final class RecordSchema<R extends Record> {
  private static final SnakeCaseStrategy SNAKE_CASE = new SnakeCaseStrategy();

  private record Component(
      String name,
      ValueSchema schema,
      boolean nullable,
      boolean required,
      String text,
      String inUrl) {}

  /** A record whose components are members of the record around it, where it is the nth. */
  private record Unwrapped(int index, Constructor<?> constructor) {
    void wrap(List<@Nullable Object> arguments) throws ReflectiveOperationException {
      List<@Nullable Object> own =
          arguments.subList(index, index + constructor.getParameterCount());
      Object record = constructor.newInstance(own.toArray());
      own.clear();
      own.add(record);
    }
  }

  private final Constructor<R> constructor;
  private final Map<String, Component> components = new LinkedHashMap<>();
  private final List<Unwrapped> unwrapped = new ArrayList<>();
  private final boolean closed;

  /**
   * The schema of a record.
   *
   * @param input true for a tool's input, whose nullable components are optional and whose unknown
   *     members are refused; false for its output, where {@link JsonInclude} says what is optional
   */
  RecordSchema(Class<R> type, boolean input) {
    this.closed = input;
    this.constructor = constructor(type);
    RecordComponent[] all = type.getRecordComponents();
    for (int i = 0; i < all.length; i++) {
      RecordComponent[] members = {all[i]};
      if (all[i].getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        members = all[i].getType().getRecordComponents();
        unwrapped.add(new Unwrapped(i, constructor(all[i].getType())));
      }
      for (RecordComponent each : members) {
        Component component = component(each, input);
        components.put(component.name(), component);
      }
    }
  }

  private static <T> Constructor<T> constructor(Class<T> type) {
    Stream<RecordComponent> all = Stream.of(type.getRecordComponents());
    try {
      Constructor<T> canonical =
          type.getDeclaredConstructor(all.map(RecordComponent::getType).toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      return canonical;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record has its canonical constructor", e);
    }
  }

  private static Component component(RecordComponent declared, boolean input) {
    Name name = declared.getAnnotation(Name.class);
    AnnotatedElement described = name == null ? declared : Name.class;
    SchemaHint hint =
        Objects.requireNonNullElse(described.getAnnotation(SchemaHint.class), SchemaHint.NONE);
    boolean nullable = declared.getAnnotatedType().isAnnotationPresent(Nullable.class);
    boolean omitted = includes(declared) != JsonInclude.Include.ALWAYS;
    JsonProperty named = declared.getAccessor().getAnnotation(JsonProperty.class);
    boolean camelCase = name == null && isCamelCase(declared.getDeclaringRecord());
    String usual = camelCase ? declared.getName() : SNAKE_CASE.translate(declared.getName());
    String memberName = named == null ? usual : named.value();
    return new Component(
        memberName,
        ValueSchema.of(declared.getGenericType(), hint, input),
        nullable && (input || !omitted),
        !nullable || (!input && !omitted),
        name == null ? hint.value() : name.value(),
        name != null && name.anybody() ? "" : AddressDefaults.nameFor(memberName));
  }

  private static boolean isCamelCase(Class<?> type) {
    return type.isAnnotationPresent(JsonNaming.class)
        || Stream.of(type.getInterfaces()).anyMatch(RecordSchema::isCamelCase);
  }

  private static JsonInclude.Include includes(RecordComponent declared) {
    JsonInclude own = declared.getAccessor().getAnnotation(JsonInclude.class);
    JsonInclude all = declared.getDeclaringRecord().getAnnotation(JsonInclude.class);
    return own != null ? own.value() : all != null ? all.value() : JsonInclude.Include.ALWAYS;
  }

  /** The JSON Schema (2020-12), without the members that a URL sets. */
  ObjectNode jsonSchema(AddressDefaults defaults) {
    ObjectNode schema = Json.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.arrayNode();
    for (Component component : components.values()) {
      if (defaults.values().get(component.inUrl()) != null) {
        continue;
      }
      ObjectNode type = component.schema().jsonSchema().deepCopy();
      if (component.nullable()) {
        // Two branches, since some model providers don't accept a list of types.
        ObjectNode either = Json.object();
        either.withArray("anyOf").add(type).addObject().put("type", "null");
        type = either;
      }
      if (!component.text().isEmpty()) {
        type.put("description", component.text());
      }
      properties.set(component.name(), type);
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

  /** Adds the schemas of the members that a URL may set, by their names there. */
  void addUrlMembers(Map<String, List<ValueSchema>> schemas) {
    for (Component component : components.values()) {
      if (!component.inUrl().isEmpty()) {
        schemas.computeIfAbsent(component.inUrl(), _ -> new ArrayList<>()).add(component.schema());
      }
    }
  }

  /** Reads an object; the prefix is for members' names in messages. */
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
      for (Unwrapped each : unwrapped) {
        each.wrap(arguments);
      }
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
      return component.schema().read(node, at);
    }
    if (component.required()) {
      throw new InvalidInputException(
          "%s is missing; it %s".formatted(at, component.schema().rule()));
    }
    return null;
  }

  private InvalidInputException unknownMember(ObjectNode input, String prefix) {
    List<String> unknown = new ArrayList<>();
    input.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(components.keySet());
    String name = unknown.getFirst();
    return new InvalidInputException(
        "%s is not a member that this takes%s; it takes %s"
            .formatted(
                prefix + ValueSchema.excerpt(name),
                SpellingSuggestion.question(name, components.keySet()),
                memberNames()));
  }
}
